internal import APNs
package import DeviceModel
internal import Fields
internal import JSON
internal import Time

/// Pushes for Live Activities (live.md L1.2).
extension ActivityTable {
    /// Decides about a push and carries out the decision.
    package mutating func receive(
        _ push: ActivityPush, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) -> ActivityDecision {
        let app = context.app(push.bundleID)
        var reading = ActivityReading(push, app)
        reading.former = takeRecord(of: push)
        if let former = reading.former { restore(former, push) }
        let index: Int? =
            if case .activity(let id) = push.address { activities.firstIndex { $0.id == id } } else { nil }
        receive(&reading, at: index, context, &effects)
        var decision = reading.decision
        addNotes(&decision, push, app, context)
        decision.notification = push.sequence
        if push.sequence != nil { decisions.append(decision) }
        prune(context, &effects)
        return decision
    }

    /// Stores the decision in `reading`. Broadcasts run this for each activity, so nothing here captures or copies a
    /// push, an app or an activity.
    ///
    /// - Parameter index: the addressed activity's; nil for a start, or if the activity no longer exists.
    mutating func receive(
        _ reading: inout ActivityReading, at index: Int?, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        let settings = settings(of: reading.push.bundleID)
        reading.begin(isDenied: settings.setting == .denied, context)
        let isStart = reading.push.message.event == .start
        if isStart {
            insertStart(&reading.decision, reading.push.message, reading.app, settings, context)
        } else {
            insertUpdate(&reading, index, settings, context)
        }
        if let former = reading.former { reading.decision.take(former) }
        switch reading.decide() {
        case .dropped(let reason): drop(&reading, index, reason, context, &effects)
        case .applied where isStart: start(reading.push, &reading.decision, context, &effects)
        case .held:
            if let index {
                hold(
                    reading.push, index,
                    settings.updateLimit(reading.app, on: context.device.osVersion, context.assumptions), context,
                    &effects)
            }
        case .applied:
            if let index { change(index, &reading, context, &effects) }
        }
    }

    private mutating func drop(
        _ reading: inout ActivityReading, _ index: Int?, _ reason: DiscardReason, _ context: DeviceContext,
        _ effects: inout DeviceEffects
    ) {
        reading.decision.reason = reason
        let (push, decision) = (reading.push, reading.decision)
        if let index { activities[index].note(decision.event ?? "push", push.id, reason, at: context.now) }
        var details: JSONObject = ["reason": .string(reason.rawValue), "event": decision.event.map { .string($0) }]
        // The decision about a broadcast names no activity.
        let activity = decision.activity ?? (push.message.event == .start ? nil : index.map { activities[$0].id })
        details["activity"] = activity.map { .string($0) }
        // A start to the wrong kind of token may fail to decode, too, but is not dropped for it.
        if reason == .attributesDecodeFailed || reason == .contentDecodeFailed {
            details["detail"] = decision.failure.map { .string($0.sentence) }
        }
        effects.emit(.activityPushDropped, app: push.bundleID, details)
    }

    private func insertStart(
        _ decision: inout ActivityDecision, _ message: ActivityMessage, _ app: App, _ settings: LiveSettings,
        _ context: DeviceContext
    ) {
        let declared = app.liveActivities ?? LiveActivities()
        let name = message.attributesType
        decision.type = name
        let type = name.flatMap { declared.type($0) }
        decision.insert(.isTypeKnown, if: name != nil && (type != nil || declared.acceptsEverything))
        if type == nil, let name { decision.nearestType = NearestName.of(name, among: declared.types.map(\.name)) }
        let attributes = message.attributes ?? .null
        let attributesFailure =
            message.attributes == nil
            ? DecodingFailure(path: "attributes", reason: "is missing")
            : type?.attributes.failure(decoding: attributes, at: FieldPath().member("attributes"))
        let contentFailure = message.failure(decodingContentOf: name ?? "", app)
        decision.insert(.attributesFail, if: attributesFailure != nil)
        decision.insert(.contentFails, if: contentFailure != nil)
        decision.failure = attributesFailure ?? contentFailure
        decision.insert(.hasAlert, if: message.alert != nil)
        decision.insert(.hasBothInputs, if: message.wantsToken && message.channel != nil)
        if let channel = message.channel {
            decision.insert(.isChannelUnknown, if: !context.isChannel(decision.channel(channel)))
        }
        decision.byteCount = message.attributesByteCount + message.contentByteCount
        decision.count = ongoing(of: decision.bundleID)
        decision.insert(.isTooLarge, if: decision.byteCount ?? 0 > LiveActivity.maximumDataByteCount)
        decision.insert(.isAppFull, if: ongoing(of: decision.bundleID) >= context.assumptions.activitiesPerApp)
        decision.insert(.isDeviceFull, if: ongoing() >= context.assumptions.activitiesPerDevice)
        let limit = context.assumptions.startBudget
        let spent = settings.starts.count(of: limit, per: .day, at: context.now)
        decision.insert(.isStartBudgetSpent, if: spent + 1 > Double(limit))
    }

    private func insertUpdate(
        _ reading: inout ActivityReading, _ index: Int?, _ settings: LiveSettings, _ context: DeviceContext
    ) {
        reading.decision.insert(.hasAlert, if: reading.push.message.alert != nil)
        if case .activity(let id) = reading.push.address { reading.decision.activity = id }
        guard let index, activities.span[index].state.isOngoing else { return reading.decision.insert(.isOver) }
        let type = activities.span[index].type
        let lastTimestamp = activities.span[index].lastTimestamp
        reading.decision.type = type
        reading.decision.lastTimestamp = lastTimestamp
        if let timestamp = reading.push.message.timestamp {
            reading.decision.insert(.isOlder, if: timestamp < lastTimestamp)
            let skew = Double(context.assumptions.maxPastSkew) / 1000
            reading.decision.insert(.isPast, if: skew > 0 && context.now.seconds - timestamp > skew)
        }
        if reading.push.message.event == .update || reading.push.message.contentState != nil {
            let failure = reading.failure(as: type)
            reading.decision.failure = failure
            reading.decision.insert(.contentFails, if: failure != nil)
        }
        let byteCount = activities.span[index].attributesByteCount + reading.push.message.contentByteCount
        reading.decision.byteCount = byteCount
        reading.decision.insert(.isTooLarge, if: byteCount > LiveActivity.maximumDataByteCount)
        guard reading.push.priority == .immediate, reading.push.message.event == .update else { return }
        let limit = settings.updateLimit(reading.app, on: context.device.osVersion, context.assumptions)
        let spent = settings.updates.count(of: limit, per: .hour, at: context.now)
        reading.decision.insert(.isUpdateBudgetSpent, if: spent + 1 > Double(limit))
    }

    // MARK: Held updates

    private mutating func hold(
        _ push: ActivityPush, _ index: Int, _ limit: Int, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        dropHeld(index, .throttled, at: context.now, &effects)
        let wait = settings(of: push.bundleID).updates.refill(of: limit, per: .hour, at: context.now)
        activities[index].held = LiveActivity.Held(push: push, until: context.now.advanced(by: wait))
    }

    /// Drops a held update, whose notification stays delivered.
    mutating func dropHeld(
        _ index: Int, _ reason: DiscardReason, at now: Instant, _ effects: inout DeviceEffects
    ) {
        guard let push = activities[index].held?.push else { return }
        activities[index].held = nil
        activities[index].note("update", push.id, reason, at: now)
        decideAgain(about: push, &effects) { $0.reason = reason }
    }

    /// Changes the decision about an update that was held. A broadcast's has no notification.
    private mutating func decideAgain(
        about push: ActivityPush, _ effects: inout DeviceEffects, _ change: (inout ActivityDecision) -> Void
    ) {
        guard let number = push.sequence, let index = decisions.firstIndex(where: { $0.notification == number }) else {
            return
        }
        change(&decisions[index])
        effects.requests.append(.decided(notification: number))
    }

    /// Decides again about a held update whose budget has refilled; the update now counts against the budget.
    mutating func release(_ index: Int, _ context: DeviceContext, _ effects: inout DeviceEffects) {
        guard var push = activities[index].held?.push else { return }
        activities[index].held = nil
        // Updates of other priorities have no budget.
        push.priority = .powerConserving
        var reading = ActivityReading(push, context.app(push.bundleID))
        spendUpdate(of: reading.app, context)
        receive(&reading, at: index, context, &effects)
        decideAgain(about: push, &effects) { former in
            var decision = reading.decision
            (decision.notification, decision.notes) = (push.sequence, former.notes)
            former = decision
        }
    }

    private mutating func spendUpdate(of app: App, _ context: DeviceContext) {
        changeSettings(of: app.bundleID) { settings in
            let limit = settings.updateLimit(app, on: context.device.osVersion, context.assumptions)
            settings.updates.spend(of: limit, per: .hour, at: context.now)
        }
    }

    // MARK: Applied pushes

    private mutating func start(
        _ push: ActivityPush, _ decision: inout ActivityDecision, _ context: DeviceContext,
        _ effects: inout DeviceEffects
    ) {
        let message = push.message
        let kind: ActivityPushType = message.channel.map { .channel($0) } ?? .token
        var activity = LiveActivity(
            id: newID(push.bundleID, context), bundleID: push.bundleID, environment: push.environment,
            type: message.attributesType ?? "", origin: .push, attributes: message.attributes ?? .object([:]),
            content: message.contentState ?? .object([:]), lastTimestamp: message.timestamp ?? context.now.timestamp,
            startedAt: context.now, push: LiveActivity.Push(kind), attributesByteCount: message.attributesByteCount)
        if context.has(.refinements) {
            (activity.staleDate, activity.relevance) = (message.staleDate, message.relevance)
        }
        activity.note("start", push.id, at: context.now)
        changeSettings(of: push.bundleID) {
            $0.starts.spend(of: context.assumptions.startBudget, per: .day, at: context.now)
        }
        let index = add(activity, context, &effects)
        decision.activity = activity.id
        if !context.isForeground(push.bundleID),
            !context.isTerminated(push.bundleID) || context.assumptions.wakeAfterForceQuit
        {
            let details: JSONObject = ["state": .string("background"), "why": .string("activityStarted")]
            effects.emit(.appLaunch, app: push.bundleID, details)
        }
        if let alert = message.alert {
            decision.add(announce(alert, isPassive: message.isPassive, isStart: true, index, context, &effects))
        }
        if context.assumptions.startReachesForegroundApp, context.isForeground(push.bundleID) {
            let options = context.app(push.bundleID).presentationOptions ?? []
            let details: JSONObject = [
                "activity": .string(activity.id), "options": .strings(options.map(\.rawValue)),
            ]
            effects.emit(.willPresent, app: push.bundleID, details)
        }
        if context.assumptions.p2sRotateOnStart, case .pushToStart(_, let type) = push.address {
            let use = TokenUse(
                .pushtostart, bundleID: push.bundleID, environment: push.environment, subject: type)
            effects.requests.append(.issue(use))
        }
    }

    private mutating func change(
        _ index: Int, _ reading: inout ActivityReading, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        activities[index].note(reading.decision.event ?? "", reading.push.id, at: context.now)
        let timestamp = max(activities.span[index].lastTimestamp, reading.push.message.timestamp ?? 0)
        activities[index].lastTimestamp = timestamp
        // An end whose content does not decode keeps the previous content (11a).
        if reading.decision.failure == nil, let content = reading.push.message.contentState {
            activities[index].content = content
        }
        if reading.push.message.event == .end {
            let dismissalDate = reading.push.message.dismissalDate
            end(index, at: context.now, dismissalDate: dismissalDate, cause: "push", context, &effects)
        } else {
            if reading.push.priority == .immediate { spendUpdate(of: reading.app, context) }
            update(
                index, staleDate: reading.push.message.staleDate, relevance: reading.push.message.relevance, context,
                &effects)
        }
        if let alert = reading.push.message.alert {
            let isPassive = reading.push.message.isPassive
            reading.decision.add(announce(alert, isPassive: isPassive, isStart: false, index, context, &effects))
        }
    }
}

extension ActivityDecision {
    init(_ push: ActivityPush, _ app: App, isDenied: Bool, _ context: DeviceContext) {
        self.init(bundleID: push.bundleID, at: context.now)
        let message = push.message
        event = message.eventText
        environment = push.environment
        timestamp = message.timestamp
        insert(.hasAPS, if: message.hasAPS)
        insert(.isStart, if: message.event == .start)
        insert(.isUpdate, if: message.event == .update)
        insert(.isEnd, if: message.event == .end)
        if case .pushToStart(let isStale, let type) = push.address {
            insert(.isToPushToStart)
            insert(.isStaleToken, if: isStale)
            insert(.isOtherType, if: type != nil && message.attributesType != type)
        }
        insert(.isSupported, if: app.liveActivities?.supported ?? true)
        let needed: LiveFeature =
            message.event != .start ? .activities : message.channel == nil ? .pushToStart : .channels
        if !context.has(needed) {
            insert(.isFeatureMissing)
            osVersion = context.device.osVersion.description
        }
        insert(.isDenied, if: isDenied)
        insert(.hasTimestamp, if: timestamp != nil)
        insert(.isFuture, if: timestamp.map { $0 > context.now.seconds + 8 * 3600 } ?? false)
        insert(.endIgnoresTimestamp, if: context.assumptions.endIgnoresTimestamp)
        insert(.enforcesBudgets, if: context.assumptions.enforceActivityBudgets)
        insert(.holdsUntilRefill, if: context.assumptions.holdUntilRefill)
    }

    fileprivate func channel(_ id: String) -> ChannelKey {
        ChannelKey(bundleID: bundleID, environment: environment, id: id)
    }
}

extension ActivityMessage {
    static let root = FieldPath().member("content-state")

    /// Why the app's type cannot decode the content; nil if it can. An undeclared type accepts everything.
    package func failure(decodingContentOf type: String, _ app: App) -> DecodingFailure? {
        guard let contentState else { return DecodingFailure(path: "content-state", reason: "is missing") }
        return app.liveActivities?.type(type)?.contentState.failure(decoding: contentState, at: Self.root)
    }
}
