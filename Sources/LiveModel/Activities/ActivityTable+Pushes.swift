internal import APNs
package import DeviceModel
internal import Fields
internal import JSON

/// Pushes for Live Activities (live.md L1.2).
extension ActivityTable {
    /// Decides about a push and carries the decision out.
    package mutating func receive(
        _ push: ActivityPush, _ context: LiveContext, _ effects: inout LiveEffects
    ) -> ActivityDecision {
        let app = context.app(push.bundleID)
        let index: Int? =
            if case .activity(let id) = push.address { activities.firstIndex { $0.id == id } } else { nil }
        var reading = ActivityReading(of: app)
        var decision = receive(push, at: index, &reading, context, &effects)
        addNotes(&decision, push, app, context)
        decision.notification = push.sequence
        if push.sequence != nil { decisions.append(decision) }
        prune(context, &effects)
        return decision
    }

    /// - Parameter index: Of the activity addressed; nil for a start, or when the activity is gone.
    mutating func receive(
        _ push: ActivityPush, at index: Int?, _ reading: inout ActivityReading, _ context: LiveContext,
        _ effects: inout LiveEffects
    ) -> ActivityDecision {
        let settings = settings(of: push.bundleID)
        var decision = reading.begin(push, settings, context)
        let isStart = push.message.event == .start
        if isStart {
            insertStart(&decision, push.message, reading.app, settings, context)
        } else {
            insertUpdate(&decision, push, index, &reading, settings, context)
        }
        switch reading.verdict(on: &decision) {
        case .dropped(let reason):
            decision.reason = reason
            if let index { activities[index].note(decision.event ?? "push", push.id, reason, at: context.now) }
            var details: JSONObject = ["reason": .string(reason.rawValue), "event": decision.event.map { .string($0) }]
            details["activity"] = decision.activity.map { .string($0) }
            details["detail"] = decision.failure.map { .string($0.sentence) }
            effects.emit(.activityPushDropped, app: push.bundleID, details)
        case .held: index.map { hold(push, $0, settings.updateLimit(reading.app, context.assumptions), context) }
        case .applied where isStart: start(push, &decision, context, &effects)
        case .applied: index.map { change($0, push, reading.app, &decision, context, &effects) }
        }
        return decision
    }

    private func insertStart(
        _ decision: inout ActivityDecision, _ message: ActivityMessage, _ app: App, _ settings: LiveSettings,
        _ context: LiveContext
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
        let spent = settings.starts.count(of: limit, per: LiveSettings.day, at: context.now)
        decision.insert(.isStartBudgetSpent, if: spent + 1 > Double(limit))
    }

    private func insertUpdate(
        _ decision: inout ActivityDecision, _ push: ActivityPush, _ index: Int?, _ reading: inout ActivityReading,
        _ settings: LiveSettings, _ context: LiveContext
    ) {
        let message = push.message
        decision.insert(.hasAlert, if: message.alert != nil)
        guard let index, activities[index].state.isOngoing else {
            decision.insert(.isOver)
            if case .activity(let id) = push.address { decision.activity = id }
            return
        }
        decision.activity = activities[index].id
        decision.type = activities[index].type
        decision.lastTimestamp = activities[index].lastTimestamp
        if let timestamp = message.timestamp {
            decision.insert(.isOlder, if: timestamp < activities[index].lastTimestamp)
            let skew = Double(context.assumptions.maxPastSkew) / 1000
            decision.insert(.isPast, if: skew > 0 && context.now.seconds - timestamp > skew)
        }
        if message.event == .update || message.contentState != nil {
            decision.failure = reading.failure(message, as: activities[index].type)
            decision.insert(.contentFails, if: decision.failure != nil)
        }
        decision.byteCount = activities[index].attributesByteCount + message.contentByteCount
        decision.insert(.isTooLarge, if: decision.byteCount ?? 0 > LiveActivity.maximumDataByteCount)
        guard push.priority == .immediate, message.event == .update else { return }
        let limit = settings.updateLimit(reading.app, context.assumptions)
        let spent = settings.updates.count(of: limit, per: LiveSettings.hour, at: context.now)
        decision.insert(.isUpdateBudgetSpent, if: spent + 1 > Double(limit))
    }

    // MARK: Held updates

    private mutating func hold(_ push: ActivityPush, _ index: Int, _ limit: Int, _ context: LiveContext) {
        if let former = activities[index].held {
            activities[index].note("update", former.push.id, .throttled, at: context.now)
        }
        let wait = settings(of: push.bundleID).updates.refill(of: limit, per: LiveSettings.hour, at: context.now)
        activities[index].held = LiveActivity.Held(push: push, until: context.now.advanced(by: wait))
    }

    /// Decides again about an update for which the budget has refilled; it counts now.
    mutating func release(_ index: Int, _ context: LiveContext, _ effects: inout LiveEffects) {
        guard var push = activities[index].held?.push else { return }
        activities[index].held = nil
        var reading = ActivityReading(of: context.app(push.bundleID))
        spendUpdate(of: reading.app, context)
        // Updates of other priorities have no budget.
        push.priority = .powerConserving
        var decision = receive(push, at: index, &reading, context, &effects)
        decision.notification = push.sequence
        if let place = decisions.firstIndex(where: { $0.notification == push.sequence }), push.sequence != nil {
            decision.notes = decisions[place].notes
            decisions[place] = decision
        }
    }

    private mutating func spendUpdate(of app: App, _ context: LiveContext) {
        changeSettings(of: app.bundleID) {
            let limit = $0.updateLimit(app, context.assumptions)
            $0.updates.spend(of: limit, per: LiveSettings.hour, at: context.now)
        }
    }

    // MARK: Applied pushes

    private mutating func start(
        _ push: ActivityPush, _ decision: inout ActivityDecision, _ context: LiveContext, _ effects: inout LiveEffects
    ) {
        let message = push.message
        let kind: ActivityPushType = message.channel.map { .channel($0) } ?? .token
        var activity = LiveActivity(
            id: newID(push.bundleID, context), bundleID: push.bundleID, environment: push.environment,
            type: message.attributesType ?? "", origin: .push, attributes: message.attributes ?? .object([:]),
            content: message.contentState ?? .object([:]), lastTimestamp: message.timestamp ?? context.now.seconds,
            startedAt: context.now, push: LiveActivity.Push(kind), attributesByteCount: message.attributesByteCount)
        activity.staleDate = message.staleDate
        activity.relevance = message.relevance
        activity.note("start", push.id, at: context.now)
        changeSettings(of: push.bundleID) {
            $0.starts.spend(of: context.assumptions.startBudget, per: LiveSettings.day, at: context.now)
        }
        let index = add(activity, context, &effects)
        decision.activity = activity.id
        if !context.isForeground(push.bundleID),
            !context.isTerminated(push.bundleID) || context.assumptions.wakeAfterForceQuit
        {
            let details: JSONObject = ["state": .string("background"), "why": .string("activityStarted")]
            effects.emit(.appLaunch, app: push.bundleID, details)
        }
        if let alert = message.alert { announce(alert, of: message, index, &decision, context, &effects) }
        if context.assumptions.p2sRotateOnStart, case .pushToStart(_, let type) = push.address {
            let use = TokenUse(
                .pushtostart, bundleID: push.bundleID, environment: push.environment, subject: type)
            effects.requests.append(.issue(use))
        }
    }

    private mutating func change(
        _ index: Int, _ push: ActivityPush, _ app: App, _ decision: inout ActivityDecision, _ context: LiveContext,
        _ effects: inout LiveEffects
    ) {
        let message = push.message
        activities[index].note(decision.event ?? "", push.id, at: context.now)
        activities[index].lastTimestamp = max(activities[index].lastTimestamp, message.timestamp ?? 0)
        // An end keeps content that it cannot replace (11a).
        let content = decision.failure == nil ? message.contentState : nil
        if message.event == .end {
            if let content { activities[index].content = content }
            end(index, at: context.now, dismissalDate: message.dismissalDate, cause: "push", context, &effects)
        } else {
            if push.priority == .immediate { spendUpdate(of: app, context) }
            apply(
                content ?? activities[index].content, staleDate: message.staleDate, relevance: message.relevance, index,
                context, &effects)
        }
        if let alert = message.alert { announce(alert, of: message, index, &decision, context, &effects) }
    }

    private mutating func announce(
        _ alert: ActivityAlert, of message: ActivityMessage, _ index: Int, _ decision: inout ActivityDecision,
        _ context: LiveContext, _ effects: inout LiveEffects
    ) {
        let alerted = announce(alert, isPassive: message.isPassive, index, context, &effects)
        decision.add(alerted)
    }
}

extension ActivityDecision {
    init(_ push: ActivityPush, _ app: App, isDenied: Bool, _ context: LiveContext) {
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

    /// As the app's type decodes it; an undeclared type accepts everything.
    package func failure(decodingContentOf type: String, _ app: App) -> DecodingFailure? {
        guard let contentState else { return DecodingFailure(path: "content-state", reason: "is missing") }
        return app.liveActivities?.type(type)?.contentState.failure(decoding: contentState, at: Self.root)
    }
}
