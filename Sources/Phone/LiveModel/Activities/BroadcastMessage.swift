package import APNs
package import DeviceModel
internal import Time

/// A broadcast on its way to devices, parsed once for all of them.
package struct BroadcastMessage: Sendable {
    package let channel: ChannelKey
    fileprivate var reading: ActivityReading

    /// Parses the payload, which costs some microseconds.
    ///
    /// - Parameter app: the current declaration. A message is discarded when the declaration changes.
    package init(_ broadcast: Broadcast, to app: App) {
        channel = broadcast.channel
        let payload = broadcast.payload
        let push = ActivityPush(
            ActivityMessage(payload: payload.span.bytes), to: .channel(channel), bundleID: channel.bundleID,
            environment: channel.environment, priority: broadcast.priority, id: broadcast.uniqueID.text(.lower))
        reading = ActivityReading(push, app)
    }
}

/// A push, with what is computed once for all activities that may receive it. Passed as `inout`, so that no activity
/// copies the push.
struct ActivityReading: Sendable {
    let push: ActivityPush
    let app: App
    /// The decision for the last activity that received it.
    var decision: ActivityDecision
    /// The record of an earlier decision about the same push, for a preview.
    var former: ActivityDecision?
    /// By type name; nil for a type that decodes the content.
    private var failures: [String: DecodingFailure?] = [:]
    private var latestFailure: (type: String, failure: DecodingFailure?)?
    private var latestVerdict: (facts: FactSet<ActivityFact>, verdict: ActivityVerdict)?
    private var beginning: (osVersion: OSVersion, isDenied: Bool, decision: ActivityDecision)?

    init(_ push: ActivityPush, _ app: App) {
        self.push = push
        self.app = app
        decision = ActivityDecision(bundleID: app.bundleID, at: Instant(milliseconds: 0))
    }

    /// Why the type cannot decode the content; nil if it can.
    mutating func failure(as type: String) -> DecodingFailure? {
        if let latestFailure, latestFailure.type == type { return latestFailure.failure }
        let failure = failures[type] ?? push.message.failure(decodingContentOf: type, app)
        failures[type] = .some(failure)
        latestFailure = (type, failure)
        return failure
    }

    /// Begins another decision with the facts that do not depend on the activity.
    mutating func begin(isDenied: Bool, _ context: DeviceContext) {
        if let beginning, beginning.decision.at == context.now, beginning.osVersion == context.device.osVersion,
            beginning.isDenied == isDenied
        {
            decision = beginning.decision
            return
        }
        decision = ActivityDecision(push, app, isDenied: isDenied, context)
        beginning = (context.device.osVersion, isDenied, decision)
    }

    /// Decides; reuses the previous verdict if the facts are equal.
    mutating func decide() -> ActivityVerdict {
        let facts = decision.facts
        if let latestVerdict, latestVerdict.facts == facts {
            decision.insert(.isApplied, if: latestVerdict.verdict == .applied)
            return latestVerdict.verdict
        }
        let verdict = decision.decide(nil)
        latestVerdict = (facts, verdict)
        return verdict
    }
}

extension ActivityTable {
    /// Runs the checks for every activity on the channel (B3–B5).
    ///
    /// - Returns: Whether something is due at another time than before.
    package mutating func receive(
        _ message: inout BroadcastMessage, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) -> Bool {
        let former = due(after: context.now)
        for index in activities.indices where follows(message.channel, index) {
            receive(&message.reading, at: index, context, &effects)
        }
        prune(context, &effects)
        return due(after: context.now) != former
    }

    private func follows(_ key: ChannelKey, _ index: Int) -> Bool {
        let activities = activities.span
        return activities[index].state.isOngoing && activities[index].push.channel == key.id
            && activities[index].bundleID == key.bundleID && activities[index].environment == key.environment
    }
}
