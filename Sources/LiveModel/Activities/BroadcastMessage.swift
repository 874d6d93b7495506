package import APNs
package import DeviceModel
internal import Fields

/// A broadcast on its way to devices, parsed and decoded once for all of them.
package struct BroadcastMessage: Sendable {
    package let channel: ChannelKey
    package let message: ActivityMessage
    package let uniqueID: String
    package let priority: Priority
    /// The content as the types of this declaration decode it.
    private let declared: LiveActivities?
    private let failures: [String: DecodingFailure]

    /// - Parameter declared: The app's, for the decoding.
    package init(
        payload: [UInt8], channel: ChannelKey, declared: LiveActivities?, uniqueID: String, priority: Priority
    ) {
        message = ActivityMessage(payload: payload.span.bytes)
        self.channel = channel
        self.uniqueID = uniqueID
        self.priority = priority
        self.declared = declared
        var app = App(bundleID: channel.bundleID)
        app.liveActivities = declared
        var failures: [String: DecodingFailure] = [:]
        for type in declared?.types ?? [] {
            failures[type.name] = message.failure(decodingContentOf: type.name, app)
        }
        self.failures = failures
    }

    /// nil when the declaration has changed since, or has no such type.
    fileprivate func failure(_ type: String, _ app: App) -> DecodingFailure?? {
        guard let declared, app.liveActivities == declared, declared.type(type) != nil else { return nil }
        return .some(failures[type])
    }
}

extension ActivityTable {
    /// Runs the checks for every activity on the channel (B3–B5).
    ///
    /// - Returns: How many activities it reached.
    package mutating func receive(
        _ message: BroadcastMessage, _ context: LiveContext, _ effects: inout LiveEffects
    ) -> Int {
        let reached = activities.indices.filter {
            activities[$0].state.isOngoing && activities[$0].push.channel == message.channel.id
                && activities[$0].channelKey == message.channel
        }
        guard !reached.isEmpty else { return 0 }
        let app = context.app(message.channel.bundleID)
        let push = ActivityPush(
            message.message, to: .channel(message.channel), bundleID: message.channel.bundleID,
            environment: message.channel.environment, priority: message.priority, id: message.uniqueID)
        for index in reached {
            let failure = message.failure(activities[index].type, app)
            _ = receive(push, at: index, app, failure: failure, context, &effects)
        }
        prune(context, &effects)
        return reached.count
    }
}
