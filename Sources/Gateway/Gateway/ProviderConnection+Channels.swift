internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import LiveModel
internal import RequestWire
internal import Synchronization

/// A request about channels and the results of its checks so far.
final class ChannelRequest {
    let path: ChannelPath?
    var action = ChannelAction.broadcast
    /// nil while it is unknown, and for a list.
    var key: ChannelKey?
    /// Of an existing or a new channel.
    var policy = StoragePolicy.none

    init(_ path: ChannelPath?) { self.path = path }

    /// The `apns-channel-id` to echo.
    func sentID(in request: borrowing RequestBlock) -> String? { try? ChannelRules.channelID(request) }
}

/// The headers of an answer to a request about channels, which has `apns-request-id` in place of `apns-id`.
package struct ChannelHeaders: Sendable {
    /// `apns-channel-id`
    package var id: String?
}

/// Broadcasts and channel management. Nothing here runs for a push to a device.
extension ProviderConnection {
    /// nil for a request that is served as a push.
    func channelRequest(_ request: borrowing RequestBlock) -> ChannelRequest? {
        let path = request.value(of: .path).flatMap { ChannelPath($0) }
        return path == nil && servesPushes ? nil : ChannelRequest(path)
    }

    /// In the order for devices, except that the channel comes right after the credentials (see `ChannelRules`).
    func admit(
        _ request: borrowing RequestBlock, _ admission: inout Admission, _ channel: ChannelRequest
    ) throws(APNsRejection) {
        try HeaderRules.checkDuplicates(request)
        let path = try servedPath(request, channel.path)
        channel.action = try ChannelRules.action(of: path, request)
        try authenticate(request, &admission)
        admission.topic = path.bundleID
        try checkTopic(path.bundleID, admission)
        admission.messageID = try ChannelRules.requestID(request)?.id
        guard gateway.simulator.app(path.bundleID)?.isBroadcastEnabled ?? true else {
            throw .broadcastsOff(path.bundleID)
        }
        switch channel.action {
        case .broadcast:
            try find(request, admission, channel)
            admission.expiration = try ChannelRules.expiration(request, channel.policy)
            admission.priority = try ChannelRules.priority(request)
            try ChannelRules.checkPushType(request)
            admission.pushType = .liveactivity
            try PayloadRules.checkSize(
                byteCount: request.bodyByteCount, limit: ChannelRules.maximumPayloadByteCount)
        case .read, .delete: try find(request, admission, channel)
        case .create:
            channel.policy = try ChannelRules.policy(ofNewChannel: request.body, byteCount: request.bodyByteCount)
        case .list: break
        }
    }

    private func servedPath(
        _ request: borrowing RequestBlock, _ path: ChannelPath?
    ) throws(APNsRejection) -> ChannelPath {
        guard let path else {
            throw .unknownPath(request, "channels are at /1/apps/<bundle id>/channels; pushes go to the provider port")
        }
        if path.resource == .broadcasts {
            guard servesPushes else {
                throw .unknownPath(request, "broadcasts go to the provider port, channel management comes here")
            }
        } else if !managesChannels(request) {
            throw .unknownPath(
                request, "channel management has ports of its own: 2195 for the sandbox, 2196 for production")
        }
        return path
    }

    /// On its own ports, in clear text, and on any port under Apple's names for it.
    private func managesChannels(_ request: borrowing RequestBlock) -> Bool {
        if !servesPushes || entry.facts.traffic == .clearText || entry.facts.traffic == nil { return true }
        let names = [request.value(of: .authority) ?? request.value(of: .host), entry.facts.tls?.serverName]
        return names.contains { $0.map(EnvironmentRules.isForChannels) ?? false }
    }

    private func checkTopic(_ bundleID: String, _ admission: borrowing Admission) throws(APNsRejection) {
        try ChannelRules.checkTopic(bundleID)
        let (key, certificate) = (admission.verified?.key, asksForCredentials ? certificate : nil)
        try ChannelRules.checkCredential { () throws(APNsRejection) in
            try key?.checkTopic(bundleID)
            _ = try certificate?.topic(header: bundleID)
        }
    }

    private func find(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission, _ channel: ChannelRequest
    ) throws(APNsRejection) {
        let id = try ChannelRules.channelID(request)
        let key = ChannelKey(bundleID: admission.topic, environment: admission.environment, id: id)
        let found = gateway.simulator.channel(id)
        let isOwn = found?.key == key
        guard isOwn, let found, !found.isDeleted else {
            guard channel.action == .broadcast else { throw .noSuchChannel }
            throw isOwn ? .channelDeleted : .channelUnknown(key, belongsTo: found?.key)
        }
        channel.key = found.key
        channel.policy = found.policy
    }

    // MARK: Accepted requests

    func accept(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission, _ channel: ChannelRequest,
        fault: FaultMark?
    ) throws(APNsRejection) -> Answer {
        let requestID = admission.messageID ?? identifiers.nextID()
        var answer = Answer(
            status: channel.action.status, apnsID: requestID,
            echo: admission.messageID == nil ? nil : request[.apnsRequestID] ?? request[.apnsID], body: [],
            streamLimit: announce(settings.streamLimit), channel: ChannelHeaders(id: channel.key?.id))
        var position: UInt64 = 0
        var broadcast: BroadcastReceipt?
        do throws(ChannelRefusal) {
            switch channel.action {
            case .broadcast:
                guard let key = channel.key else { preconditionFailure("a broadcast is admitted with its channel") }
                let uniqueID = identifiers.nextID()
                answer.uniqueID = uniqueID
                let message = Broadcast(
                    request.body, on: key, uniqueID: uniqueID, priority: admission.priority,
                    expiration: admission.expiration, receivedAt: admission.now)
                let receipt = try gateway.simulator.broadcast(message)
                (broadcast, position) = (receipt, receipt.position)
            case .create:
                let created = try identifiers.createChannel(
                    for: admission.topic, in: admission.environment, channel.policy, at: admission.now,
                    gateway.simulator)
                (channel.key, position) = (created.key, created.position)
                answer.channel = ChannelHeaders(id: created.key.id)
            case .read: answer.body = ChannelRules.description(of: channel.policy)
            case .delete:
                if let key = channel.key { position = try gateway.simulator.deleteChannel(key) }
            case .list:
                let ids = gateway.simulator.channelIDs(of: admission.topic, in: admission.environment)
                answer.body = ChannelRules.list(ids)
            }
        } catch {
            throw APNsRejection(error, channel.action, admission.topic, admission.environment)
        }
        let undelivered = RequestRecord.UndeliveredRequest(
            request: PackedRequest(packing: request, token: nil), apnsID: requestID,
            payloadByteCount: request.bodyByteCount)
        let served = RequestRecord.ServedRequest(
            action: channel.action, bundleID: admission.topic, channelID: channel.key?.id,
            broadcast: broadcast?.number, subscribers: broadcast?.subscribers)
        (answer.pending, answer.record) = recordAccepted(
            makeRecord(.served(undelivered, served), admission, fault), at: position)
        return answer
    }
}

extension APNsRejection {
    init(
        _ refusal: ChannelRefusal, _ action: ChannelAction, _ bundleID: String, _ environment: APNsEnvironment
    ) {
        switch refusal {
        case .off: self = .broadcastsOff(bundleID)
        case .tooManyChannels: self = .tooManyChannels(bundleID, environment)
        // Another request was faster.
        case .missing, .taken: self = action == .broadcast ? .channelDeleted : .noSuchChannel
        case .tooManyBroadcasts:
            self.init(
                .tooManyRequests, "broadcasts.backlog",
                "\(ChannelRules.maximumBacklog) broadcasts have not reached all their subscribers yet; send more slowly."
            )
        case .unwritable(let refusal): self.init(unstored: refusal.reason)
        }
    }
}

extension ConnectionFacts {
    var isForChannels: Bool {
        traffic?.environment != nil || connectTarget.map(EnvironmentRules.isForChannels) ?? false
    }
}

extension Traffic {
    /// Of a port for channel management; nil when the host name decides.
    var environment: APNsEnvironment? {
        switch self {
        case .provider, .clearText, .proxy: nil
        case .channelsSandbox: .sandbox
        case .channelsProduction: .production
        }
    }
}
