internal import JSON
public import RequestWire
internal import Time

/// What a request for broadcasts and channels asks for.
public enum ChannelAction: String, CaseIterable, Codable, Sendable {
    case broadcast, create, read, list, delete

    /// Answers `POST /1/apps/{bundle id}/channels` with 201 and `DELETE` with 204.
    public var status: UInt16 {
        switch self {
        case .broadcast, .read, .list: 200
        case .create: 201
        case .delete: 204
        }
    }
}

/// What APNs stores for devices that a broadcast does not reach; fixed when a channel is created.
public enum StoragePolicy: Int, CaseIterable, Codable, Hashable, Sendable {
    /// No Message Stored.
    case none = 0
    /// Most Recent Message Stored.
    case mostRecent = 1
}

/// A path below `/4/broadcasts` or `/1/apps`.
public struct ChannelPath: Hashable, Sendable {
    public enum Resource: Hashable, Sendable { case broadcasts, channels, allChannels }

    public var resource: Resource
    public var bundleID: String

    /// Whether a request is for a device; compares bytes only, because every push asks.
    @inlinable
    public static func isElsewhere(_ request: borrowing RequestBlock) -> Bool {
        guard let path = request[.path]?.bounds, path.count > 1 else { return false }
        let digit = request.bytes[path.lowerBound + 1]
        return digit == 0x34 || digit == 0x31
    }

    /// nil for every other path, and for a bundle identifier that no app can have.
    public init?(_ path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        switch (parts.count, parts.first, parts.last) {
        case (4, "4", let bundleID?) where parts[1] == "broadcasts" && parts[2] == "apps":
            self.init(.broadcasts, bundleID)
        case (4, "1", "channels") where parts[1] == "apps": self.init(.channels, parts[2])
        case (4, "1", "all-channels") where parts[1] == "apps": self.init(.allChannels, parts[2])
        default: return nil
        }
    }

    private init?(_ resource: Resource, _ bundleID: String) {
        guard TopicRules.isTopic(bundleID) else { return nil }
        self.resource = resource
        self.bundleID = bundleID
    }
}

/// The rules for broadcasts and channels. Sources: Apple, "Sending broadcast push notification requests to APNs",
/// "Sending channel management requests to APNs", "Handling error responses from APNs"; observations of the live
/// service where a rule says so.
///
/// Apple documents that APNs checks the channel ID after the credentials and before the rest.
public enum ChannelRules {
    /// Per app and environment.
    public static let maximumCount = 10_000
    public static let maximumPayloadByteCount = 5120
    /// How long a message is stored for a device that is offline, in milliseconds.
    public static let storageTime: Int64 = 8 * .hour
    /// How many broadcasts may wait for their fan-out over all channels; not a limit of APNs.
    public static let maximumBacklog = 1000
    /// Assumption: Apple names no size. An ID has 24 characters.
    public static let maximumIDByteCount = 128

    public static func action(
        of path: ChannelPath, _ request: borrowing RequestBlock
    ) throws(APNsRejection) -> ChannelAction {
        let method = request.value(of: .method) ?? ""
        switch (path.resource, method) {
        case (.broadcasts, "POST"): return .broadcast
        case (.channels, "POST"): return .create
        case (.channels, "GET"): return .read
        case (.channels, "DELETE"): return .delete
        case (.allChannels, "GET"): return .list
        default:
            let accepted =
                switch path.resource {
                case .broadcasts: "POST"
                case .channels: "POST to create, GET to read, DELETE to delete a channel"
                case .allChannels: "GET"
                }
            throw APNsRejection(
                .methodNotAllowed, "method.channels",
                "The method is \(HeaderRules.quoted(.method, request)); use \(accepted).")
        }
    }

    /// The topic is the bundle identifier in the path.
    public static func checkTopic(_ bundleID: String) throws(APNsRejection) {
        let plain = TopicRules.bundleID(of: bundleID)
        guard plain != bundleID else { return }
        throw APNsRejection(
            .topicDisallowed, "path.suffix",
            "The path has '\(bundleID)'; broadcasts and channels use the bundle identifier alone, '\(plain)'.")
    }

    /// `TopicMismatch` in place of the `TopicDisallowed` of device pushes.
    public static func checkCredential(_ check: () throws(APNsRejection) -> Void) throws(APNsRejection) {
        do throws(APNsRejection) {
            try check()
        } catch {
            var rejection = error
            if rejection.reason == .topicDisallowed { rejection.reason = .topicMismatch }
            throw rejection
        }
    }

    /// `apns-request-id`, or the `apns-id` that one of Apple's samples has: a UUID in canonical form.
    ///
    /// - Returns: nil when the request has neither.
    public static func requestID(
        _ request: borrowing RequestBlock
    ) throws(APNsRejection) -> (id: APNsID, range: FieldRange)? {
        if let own = try HeaderRules.identifier(.apnsRequestID, request) { return own }
        return try HeaderRules.identifier(.apnsID, request)
    }

    /// `apns-channel-id`: standard base64, as the creation of the channel answered it.
    public static func channelID(_ request: borrowing RequestBlock) throws(APNsRejection) -> String {
        guard let range = request[.apnsChannelID] else {
            throw APNsRejection(
                .missingChannelID, "apns-channel-id.missing",
                "apns-channel-id is missing; send the ID that the creation of the channel answered.")
        }
        let text = request.bytes.span.bytes.extracting(range.bounds)
        guard (1...maximumIDByteCount).contains(range.bounds.count), isStandardBase64(text) else {
            throw APNsRejection(
                .badChannelID, "apns-channel-id.form",
                "apns-channel-id is \(HeaderRules.quoted(.apnsChannelID, request)); a channel ID is standard base64 "
                    + "with padding, at most \(maximumIDByteCount) characters.")
        }
        return text.text
    }

    public static func isStandardBase64(_ text: RawSpan) -> Bool {
        guard text.byteCount.isMultiple(of: 4), Base64.decode(text) != nil else { return false }
        return (0..<text.byteCount).allSatisfy { offset in
            let byte = text.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            return byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_")
        }
    }

    // MARK: Broadcasts

    /// `apns-expiration` is required (observed); a channel that stores nothing accepts only 0.
    public static func expiration(
        _ request: borrowing RequestBlock, _ policy: StoragePolicy
    ) throws(APNsRejection) -> Expiration {
        let expiration = try HeaderRules.expiration(request)
        if expiration == .unspecified {
            throw APNsRejection(
                .badExpirationDate, "apns-expiration.missing",
                "apns-expiration is missing; a broadcast requires it. Send 0 for one attempt.")
        }
        if policy == .none, expiration != .immediate {
            throw APNsRejection(
                .badExpirationDate, "apns-expiration.storage",
                "apns-expiration is \(HeaderRules.quoted(.apnsExpiration, request)), but the channel stores no message; "
                    + "send 0, or create a channel with message-storage-policy 1.")
        }
        return expiration
    }

    /// `apns-priority` is required.
    public static func priority(_ request: borrowing RequestBlock) throws(APNsRejection) -> Priority {
        if request[.apnsPriority] == nil {
            throw APNsRejection(
                .badPriority, "apns-priority.missing",
                "apns-priority is missing; a broadcast requires it: 10, 5 or 1.")
        }
        return try HeaderRules.priority(request)
    }

    /// `apns-push-type` is required. Apple spells the value in three ways, so letter case does not matter.
    public static func checkPushType(_ request: borrowing RequestBlock) throws(APNsRejection) {
        guard let type = request.value(of: .apnsPushType) else {
            throw APNsRejection(
                .missingPushType, "apns-push-type.missing",
                "apns-push-type is missing; a broadcast requires liveactivity.")
        }
        guard isLiveActivity(type) else {
            throw APNsRejection(
                .invalidPushType, "apns-push-type.broadcast",
                "apns-push-type is \(HeaderRules.quoted(.apnsPushType, request)); broadcasts have liveactivity only.")
        }
    }

    // MARK: A new channel

    /// The body of a new channel: `{"message-storage-policy": 1, "push-type": "LiveActivity"}`.
    ///
    /// - Parameter byteCount: As sent; `body` may be shorter.
    public static func policy(ofNewChannel body: [UInt8], byteCount: Int) throws(APNsRejection) -> StoragePolicy {
        guard byteCount == body.count, case .object(let members)? = JSONValue(body.span.bytes) else {
            throw APNsRejection(
                .badRequestPayload, "channel.json",
                "The body is not a JSON object. Send {\"message-storage-policy\": 1, \"push-type\": \"LiveActivity\"}.")
        }
        if let unknown = members.keys.first(where: { $0 != storagePolicy && $0 != pushType }) {
            throw APNsRejection(
                .badRequestParameters, "channel.member",
                "The body has '\(unknown.prefix(80))'; accepted are \(storagePolicy) and \(pushType).")
        }
        guard let type = members[pushType] else {
            throw APNsRejection(
                .missingPushType, "channel.push-type.missing", "\(pushType) is missing; send LiveActivity.")
        }
        guard case .string(let name) = type, isLiveActivity(name) else {
            throw APNsRejection(
                .invalidPushType, "channel.push-type", "\(pushType) is not LiveActivity, the only type of a channel.")
        }
        guard case .integer(let number)? = members[storagePolicy], let policy = StoragePolicy(rawValue: number) else {
            throw APNsRejection(
                .missingChannelQueueSize, "channel.storage-policy",
                "\(storagePolicy) is missing or not a whole number: 0 stores no message, 1 the most recent one.")
        }
        return policy
    }

    public static func description(of policy: StoragePolicy) -> [UInt8] {
        Array(#"{"\#(storagePolicy)":\#(policy.rawValue),"\#(pushType)":"LiveActivity"}"#.utf8)
    }

    public static func list(_ ids: [String]) -> [UInt8] {
        Array((#"{"channels":["# + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]}").utf8)
    }

    private static let storagePolicy = "message-storage-policy"
    private static let pushType = "push-type"

    private static func isLiveActivity(_ type: String) -> Bool { type.lowercased() == PushType.liveactivity.name }
}

/// Rejections of channel requests that depend on state, not on the request's form.
extension APNsRejection {
    public static func unknownPath(_ request: borrowing RequestBlock, _ remedy: String) -> APNsRejection {
        APNsRejection(.badPath, "path.unknown", "The path is \(HeaderRules.quoted(.path, request)); \(remedy).")
    }

    /// The broadcast capability of an app is off.
    public static func broadcastsOff(_ bundleID: String) -> APNsRejection {
        APNsRejection(
            .broadcastFeatureNotEnabled, "app.broadcasts",
            "The app \(bundleID) has isBroadcastEnabled: false; set it to true.")
    }

    public static func tooManyChannels(_ bundleID: String, _ environment: APNsEnvironment) -> APNsRejection {
        APNsRejection(
            .cannotCreateChannelConfiguration, "channel.limit",
            "\(bundleID) has \(ChannelRules.maximumCount) channels in the \(environment.rawValue) environment, the most "
                + "that are allowed; delete some.")
    }

    /// Reading or deleting a channel that does not exist: observed for DELETE, assumed for GET.
    public static var noSuchChannel: APNsRejection {
        APNsRejection(
            .badPath, "channel.unknown",
            "The app has no channel with this apns-channel-id in this environment, or it was deleted. APNs answers "
                + "404 BadPath here.")
    }

    public static var channelDeleted: APNsRejection {
        APNsRejection(.channelNotRegistered, "channel.deleted", "The channel was deleted; create another one.")
    }

    public static func channelUnknown(_ key: ChannelKey, belongsTo owner: ChannelKey?) -> APNsRejection {
        guard let owner else {
            return APNsRejection(
                .badChannelID, "channel.never-existed",
                "No channel '\(key.id)' was ever created here; create it with POST /1/apps/\(key.bundleID)/channels.")
        }
        return APNsRejection(
            .badChannelID, "channel.owner",
            "The channel belongs to \(owner.bundleID) in the \(owner.environment.rawValue) environment, the request is for "
                + "\(key.bundleID) in \(key.environment.rawValue); channels are not shared.")
    }
}

/// A broadcast channel. Channels are not shared between environments (Apple, "Sending channel management requests").
public struct ChannelKey: Hashable, Codable, Sendable {
    public var bundleID: String
    public var environment: APNsEnvironment
    /// Base64, as the server issued it.
    public var id: String

    public init(bundleID: String, environment: APNsEnvironment, id: String) {
        self.bundleID = bundleID
        self.environment = environment
        self.id = id
    }

    private enum CodingKeys: String, CodingKey {
        case environment, id
        case bundleID = "bundleId"
    }
}
