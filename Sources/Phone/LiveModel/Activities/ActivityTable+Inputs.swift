internal import APNs
package import DeviceModel
internal import Fields
internal import JSON
internal import Time

/// Inputs from apps, the person and the system.
extension ActivityTable {
    package mutating func reduce(
        _ input: ActivityInput, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) throws(DeviceError) {
        switch input {
        case .start(let start): try self.start(start, context, &effects)
        case .update(let id, let update): try self.update(try ongoing(id), update, context, &effects)
        case .end(let id, let end): try self.end(try ongoing(id), end, context, &effects)
        case .dismiss(let id):
            let index = try index(of: id)
            guard activities[index].state.isLive || activities[index].state == .ended else {
                throw DeviceError(
                    .conflict, "the activity \"\(id)\" is \(activities[index].state), so no screen shows it")
            }
            activities[index].note("dismiss", at: context.now)
            dismiss(index, cause: "person", context, &effects)
        case .answer(let app, let answer): try self.answer(answer, of: app, context, &effects)
        case .settings(let app, let change): self.change(change, of: app, context, &effects)
        case .rotateToken(let id):
            let index = try ongoing(id)
            guard activities[index].push.token != nil else {
                throw DeviceError(.conflict, "the activity \"\(id)\" has no token to replace")
            }
            effects.requests.append(.issue(activities[index].use))
        case .issuePushToStart(let app, let environment):
            for subject in try startSubjects(of: app, context) {
                effects.requests.append(
                    .issue(TokenUse(.pushtostart, bundleID: app, environment: environment, subject: subject)))
            }
        }
        prune(context, &effects)
    }

    private func index(of id: String) throws(DeviceError) -> Int {
        guard let index = activities.firstIndex(where: { $0.id == id }) else {
            throw DeviceError(.missing, "the device has no activity \"\(id)\"; it may have been dismissed long ago")
        }
        return index
    }

    private func ongoing(_ id: String) throws(DeviceError) -> Int {
        let index = try index(of: id)
        guard activities[index].state.isOngoing else {
            throw DeviceError(
                .conflict, "the activity \"\(id)\" has ended (\(activities[index].state)); start a new one")
        }
        return index
    }

    private func startSubjects(of bundleID: String, _ context: DeviceContext) throws(DeviceError) -> [String?] {
        let declared = context.app(bundleID).liveActivities
        guard declared?.supported ?? true else { throw Self.unsupported(bundleID) }
        try context.require(.pushToStart, "push-to-start tokens")
        guard context.assumptions.p2sScope == .type else { return [nil] }
        let types = declared?.types.map(\.name) ?? []
        guard !types.isEmpty else {
            throw DeviceError(.conflict, "\(bundleID) declares no types, and push-to-start tokens belong to a type")
        }
        return types
    }

    private static func unsupported(_ bundleID: String) -> DeviceError {
        ActivityAuthorizationError.unsupported(
            "\(bundleID) does not support Live Activities; set liveActivities.supported")
    }

    // MARK: The app

    private mutating func start(
        _ start: ActivityStart, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) throws(DeviceError) {
        let app = context.app(start.bundleID)
        try check(start, app, context)
        let isPending = start.startsAt.map { $0 > context.now } ?? false
        var activity = LiveActivity(
            id: newID(start.bundleID, context), bundleID: start.bundleID, environment: start.environment,
            type: start.type, origin: isPending ? .schedule : .app, attributes: start.attributes,
            content: start.content, lastTimestamp: context.now.timestamp, startedAt: context.now,
            push: LiveActivity.Push(start.push), attributesByteCount: start.attributes.text.utf8.count)
        activity.style = start.style
        activity.staleDate = start.staleDate
        activity.relevance = start.relevance
        activity.note("start", at: context.now)
        if isPending {
            activity.state = .pending
            activity.startsAt = start.startsAt
            activity.pendingAlert = start.alert?.alert
        }
        let index = add(activity, context, &effects)
        if activities[index].state.isLive, start.startsAt != nil, let alert = start.alert {
            _ = announce(alert.alert, isPassive: false, isStart: true, index, context, &effects)
        }
    }

    /// - Throws: with the names of `ActivityAuthorizationError`.
    private func check(_ start: ActivityStart, _ app: App, _ context: DeviceContext) throws(DeviceError) {
        let declared = app.liveActivities ?? LiveActivities()
        guard declared.supported else { throw Self.unsupported(start.bundleID) }
        try context.require(.activities, "Live Activities")
        try checkRefinements(start.staleDate, start.relevance, context)
        if start.startsAt != nil { try context.require(.schedule, "scheduled starts") }
        if case .channel = start.push { try context.require(.channels, "channels") }
        if start.style == .transient { try context.require(.transient, "transient activities") }
        guard settings(of: start.bundleID).setting != .denied else {
            throw ActivityAuthorizationError.denied(
                "the person has switched the Live Activities of \(start.bundleID) off")
        }
        guard context.isForeground(start.bundleID) || start.isIntent else {
            throw ActivityAuthorizationError.visibility(
                "\(start.bundleID) is not in the foreground; open it, or set isIntent for a LiveActivityIntent")
        }
        guard declared.acceptsEverything || declared.type(start.type) != nil else {
            let hint = NearestName.of(start.type, among: declared.types.map(\.name)).map { ", did you mean \($0)?" }
            throw DeviceError(.invalid, "\(start.bundleID) declares no type \(start.type)\(hint ?? "")")
        }
        try check(start.attributes, as: declared.type(start.type)?.attributes, at: "attributes")
        try check(start.content, as: declared.type(start.type)?.contentState, at: "content")
        try checkSize(start.attributes.text.utf8.count, start.content)
        if start.startsAt != nil, start.alert == nil {
            throw DeviceError(.invalid, "alert is missing; a scheduled start needs one")
        }
        if case .channel(let id) = start.push,
            !context.isChannel(ChannelKey(bundleID: start.bundleID, environment: start.environment, id: id))
        {
            throw DeviceError(.conflict, "the channel \"\(id)\" does not exist; create it first")
        }
        guard ongoing(of: start.bundleID) < context.assumptions.activitiesPerApp else {
            throw ActivityAuthorizationError.targetMaximumExceeded(
                "the app has \(ongoing(of: start.bundleID)) activities")
        }
        guard ongoing() < context.assumptions.activitiesPerDevice else {
            throw ActivityAuthorizationError.globalMaximumExceeded("the device has \(ongoing()) activities")
        }
    }

    private func checkRefinements(
        _ staleDate: Instant?, _ relevance: Double, _ context: DeviceContext
    ) throws(DeviceError) {
        if staleDate != nil || relevance != 0 { try context.require(.refinements, "stale dates and relevance scores") }
    }

    private func checkSize(_ attributesByteCount: Int, _ content: JSONValue) throws(DeviceError) {
        let count = attributesByteCount + content.text.utf8.count
        guard count <= LiveActivity.maximumDataByteCount else {
            throw ActivityAuthorizationError.attributesTooLarge(
                "attributes and content have \(count) bytes; at most \(LiveActivity.maximumDataByteCount) are allowed")
        }
    }

    private func check(_ json: JSONValue, as type: SwiftType?, at member: String) throws(DeviceError) {
        guard let failure = type?.failure(decoding: json, at: FieldPath().member(member)) else { return }
        throw DeviceError(.invalid, "it does not decode: \(failure.sentence)")
    }

    private func check(_ content: JSONValue?, of index: Int, _ context: DeviceContext) throws(DeviceError) {
        guard let content else { return }
        let type = context.app(activities[index].bundleID).liveActivities?.type(activities[index].type)
        try check(content, as: type?.contentState, at: "content")
        try checkSize(activities[index].attributesByteCount, content)
    }

    private mutating func update(
        _ index: Int, _ update: ActivityUpdate, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) throws(DeviceError) {
        try check(update.content, of: index, context)
        try checkRefinements(update.staleDate, update.relevance, context)
        let timestamp = update.timestamp?.seconds ?? max(context.now.timestamp, activities[index].lastTimestamp)
        guard timestamp >= activities[index].lastTimestamp else {
            return activities[index].note("update", nil, .timestampOlder, at: context.now)
        }
        activities[index].note("update", at: context.now)
        activities[index].lastTimestamp = timestamp
        if let content = update.content { activities[index].content = content }
        self.update(index, staleDate: update.staleDate, relevance: update.relevance, context, &effects)
        if let alert = update.alert {
            _ = announce(alert.alert, isPassive: false, isStart: false, index, context, &effects)
        }
    }

    private mutating func end(
        _ index: Int, _ end: ActivityEnd, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) throws(DeviceError) {
        try check(end.content, of: index, context)
        let last = activities[index].lastTimestamp
        let timestamp = end.timestamp?.seconds ?? max(context.now.timestamp, last)
        guard timestamp >= last || context.assumptions.endIgnoresTimestamp else {
            return activities[index].note("end", nil, .timestampOlder, at: context.now)
        }
        activities[index].note("end", at: context.now)
        if let content = end.content {
            activities[index].content = content
            activities[index].lastTimestamp = max(timestamp, last)
        }
        self.end(index, at: context.now, dismissalDate: end.dismissalDate, cause: "app", context, &effects)
    }

    // MARK: The person

    private mutating func answer(
        _ answer: ConsentAnswer, of bundleID: String, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) throws(DeviceError) {
        let setting = settings(of: bundleID).setting
        let isAsked = activities.contains { $0.bundleID == bundleID && ($0.state.isLive || $0.state == .ended) }
        guard isAsked, setting == .undecided || setting == .allowed && answer != .allow else {
            throw DeviceError(
                .conflict,
                "no prompt about Live Activities of \(bundleID) is on the screen: it shows none, or the person has answered"
            )
        }
        effects.emit(answer == .deny ? .consentDenied : .consentGiven, app: bundleID)
        let new: LiveSettings.Setting =
            switch answer {
            case .allow: .allowed
            case .alwaysAllow: .always
            case .deny: .denied
            }
        set(new, of: bundleID, context, &effects)
    }

    private mutating func set(
        _ setting: LiveSettings.Setting, of bundleID: String, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        changeSettings(of: bundleID) { $0.setting = setting }
        for index in indices(of: bundleID) {
            if setting == .denied {
                dismiss(index, cause: "settings", context, &effects)
            } else if setting.isAllowed, activities[index].push.consentPending {
                activities[index].push.consentPending = false
                giveToken(index, context, &effects)
            }
        }
    }

    private mutating func change(
        _ change: LiveSettingsChange, of bundleID: String, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        if let setting = change.setting { set(setting, of: bundleID, context, &effects) }
        guard let isOn = change.frequentEnabled, isOn != settings(of: bundleID).frequentEnabled else { return }
        changeSettings(of: bundleID) { $0.frequentEnabled = isOn }
        for index in indices(of: bundleID) where activities[index].state.isOngoing {
            end(index, at: context.now, cause: "settings", context, &effects)
        }
    }

    /// Locking the device ends transient activities, and so does opening another app. An older iOS has no activities of
    /// kinds that it does not know.
    package mutating func adapt(
        from old: DeviceConditions, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        let opened = context.device.foregroundApp == old.foregroundApp ? nil : context.device.foregroundApp
        for index in activities.indices {
            endTransient(index, opened: opened, context, &effects)
            // What an alert shows over the current app does not come back.
            if !context.device.isInUse || context.isForeground(activities[index].bundleID) {
                activities[index].alertPresentation = nil
            }
            let activity = activities[index]
            let isKnown =
                context.has(.activities) && (activity.push.kind != .channel || context.has(.channels))
                && (activity.style != .transient || context.has(.transient))
                && (activity.state != .pending || context.has(.schedule))
            guard old.osVersion != context.device.osVersion, !isKnown else { continue }
            if activity.state.isLive {
                end(index, at: context.now, dismissalDate: context.now, cause: "version", context, &effects)
            } else {
                dismiss(index, cause: "version", context, &effects)
            }
        }
    }

    /// Ends a transient activity that the device cannot show: it is shown expanded only.
    ///
    /// - Parameter app: the app that the person has just opened, if any.
    mutating func endTransient(
        _ index: Int, opened app: String? = nil, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        guard activities[index].style == .transient, activities[index].state.isLive else { return }
        let isCovered = app.map { $0 != activities[index].bundleID } ?? false
        guard context.device.isLocked || isCovered else { return }
        let cause = context.device.isLocked ? "lock" : "open"
        end(index, at: context.now, dismissalDate: context.now, cause: cause, context, &effects)
    }
}

extension LiveActivity.Push {
    init(_ type: ActivityPushType) {
        switch type {
        case .none: self.init(kind: .none)
        case .token: self.init(kind: .token)
        case .channel(let id): self.init(kind: .channel, channel: id)
        }
    }
}
