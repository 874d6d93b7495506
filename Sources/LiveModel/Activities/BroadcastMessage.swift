package import APNs
package import DeviceModel

/// A broadcast on its way to devices, parsed once for all of them.
package struct BroadcastMessage: Sendable {
    package let channel: ChannelKey
    fileprivate let addressed: Addressed
    fileprivate var reading: ActivityReading

    /// A class, so that the push of each receiving activity does not copy it.
    fileprivate final class Addressed: Sendable {
        let push: ActivityPush

        init(_ push: ActivityPush) { self.push = push }
    }

    /// - Parameter app: the current declaration. A message is discarded when the declaration changes.
    package init(payload: [UInt8], channel: ChannelKey, app: App, uniqueID: String, priority: Priority) {
        self.channel = channel
        addressed = Addressed(
            ActivityPush(
                ActivityMessage(payload: payload.span.bytes), to: .channel(channel), bundleID: channel.bundleID,
                environment: channel.environment, priority: priority, id: uniqueID))
        reading = ActivityReading(of: app)
    }
}

/// What is computed once for a push that many activities may receive.
struct ActivityReading: Sendable {
    let app: App
    /// The decision for the last activity that received it.
    var decision: ActivityDecision
    /// By type name; nil for a type that decodes the content.
    private var failures: [String: DecodingFailure?] = [:]
    private var latestFailure: (type: String, failure: DecodingFailure?)?
    private var latestVerdict: (facts: FactSet<ActivityFact>, verdict: ActivityVerdict)?
    private var beginning: (now: Instant, osVersion: OSVersion, isDenied: Bool, facts: FactSet<ActivityFact>)?

    init(of app: App) {
        self.app = app
        decision = ActivityDecision(bundleID: app.bundleID, at: Instant(milliseconds: 0))
    }

    /// Why the type cannot decode the content; nil if it can.
    mutating func failure(_ message: ActivityMessage, as type: String) -> DecodingFailure? {
        if let latestFailure, latestFailure.type == type { return latestFailure.failure }
        let failure = failures[type] ?? message.failure(decodingContentOf: type, app)
        failures[type] = .some(failure)
        latestFailure = (type, failure)
        return failure
    }

    /// Starts a new decision with the facts that do not depend on the activity.
    mutating func begin(_ push: ActivityPush, isDenied: Bool, _ context: LiveContext) {
        if let beginning, beginning.now == context.now, beginning.osVersion == context.device.osVersion,
            beginning.isDenied == isDenied
        {
            return decision.restart(with: beginning.facts)
        }
        decision = ActivityDecision(push, app, isDenied: isDenied, context)
        beginning = (context.now, context.device.osVersion, isDenied, decision.facts)
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
    /// - Returns: How many activities it reached.
    @discardableResult
    package mutating func receive(
        _ message: inout BroadcastMessage, _ context: LiveContext, _ effects: inout LiveEffects
    ) -> Int {
        var count = 0
        for index in activities.indices where activities.span[index].follows(message.channel) {
            receive(message.addressed.push, at: index, &message.reading, context, &effects)
            count += 1
        }
        if count > 0 { prune(context, &effects) }
        return count
    }
}

extension LiveActivity {
    fileprivate func follows(_ key: ChannelKey) -> Bool {
        state.isOngoing && push.channel == key.id && bundleID == key.bundleID && environment == key.environment
    }
}
