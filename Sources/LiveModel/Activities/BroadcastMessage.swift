package import APNs
package import DeviceModel

/// A broadcast on its way to devices, parsed once for all of them.
package struct BroadcastMessage: Sendable {
    package let channel: ChannelKey
    private(set) var push: ActivityPush
    fileprivate var reading: ActivityReading

    /// - Parameter app: As declared now; a message outlives no change of it.
    package init(payload: [UInt8], channel: ChannelKey, app: App, uniqueID: String, priority: Priority) {
        self.channel = channel
        push = ActivityPush(
            ActivityMessage(payload: payload.span.bytes), to: .channel(channel), bundleID: channel.bundleID,
            environment: channel.environment, priority: priority, id: uniqueID)
        reading = ActivityReading(of: app)
    }
}

/// What is found out about a push only once, although many activities may receive it.
struct ActivityReading: Sendable {
    let app: App
    /// By the name of a type; nil for one that decodes the content.
    private var failures: [String: DecodingFailure?] = [:]
    private var latest: (facts: FactSet<ActivityFact>, verdict: ActivityVerdict)?
    private var beginning: (now: Instant, osVersion: OSVersion, isDenied: Bool, decision: ActivityDecision)?

    init(of app: App) { self.app = app }

    /// How the type fails to decode the content.
    mutating func failure(_ message: ActivityMessage, as type: String) -> DecodingFailure? {
        if let known = failures[type] { return known }
        let failure = message.failure(decodingContentOf: type, app)
        failures[type] = .some(failure)
        return failure
    }

    /// The decision with the facts that do not depend on the activity.
    mutating func begin(
        _ push: ActivityPush, _ settings: LiveSettings, _ context: LiveContext
    ) -> ActivityDecision {
        let isDenied = settings.setting == .denied
        if let beginning, beginning.now == context.now, beginning.osVersion == context.device.osVersion,
            beginning.isDenied == isDenied
        {
            return beginning.decision
        }
        let decision = ActivityDecision(push, app, isDenied: isDenied, context)
        beginning = (context.now, context.device.osVersion, isDenied, decision)
        return decision
    }

    /// Decides; equal facts in a row are decided once.
    mutating func verdict(on decision: inout ActivityDecision) -> ActivityVerdict {
        if let latest, latest.facts == decision.facts {
            decision.insert(.isApplied, if: latest.verdict == .applied)
            return latest.verdict
        }
        let facts = decision.facts
        let verdict = decision.decide(nil)
        latest = (facts, verdict)
        return verdict
    }
}

extension ActivityTable {
    /// Runs the checks for every activity on the channel (B3–B5).
    ///
    /// - Returns: How many activities it reached.
    package mutating func receive(
        _ message: inout BroadcastMessage, _ context: LiveContext, _ effects: inout LiveEffects
    ) -> Int {
        var count = 0
        for index in activities.indices where activities[index].follows(message.channel) {
            _ = receive(message.push, at: index, &message.reading, context, &effects)
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
