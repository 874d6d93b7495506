public import Time

/// APNs' `reason` strings (Apple, "Handling notification responses from APNs").
public enum APNsReason: String, CaseIterable, Codable, Hashable, Sendable {
    case badCollapseID = "BadCollapseId"
    case badDeviceToken = "BadDeviceToken"
    case badExpirationDate = "BadExpirationDate"
    case badMessageID = "BadMessageId"
    case badPriority = "BadPriority"
    case badTopic = "BadTopic"
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    case duplicateHeaders = "DuplicateHeaders"
    case idleTimeout = "IdleTimeout"
    case invalidPushType = "InvalidPushType"
    case missingDeviceToken = "MissingDeviceToken"
    case missingTopic = "MissingTopic"
    case payloadEmpty = "PayloadEmpty"
    case topicDisallowed = "TopicDisallowed"
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case expiredProviderToken = "ExpiredProviderToken"
    case forbidden = "Forbidden"
    case invalidProviderToken = "InvalidProviderToken"
    case missingProviderToken = "MissingProviderToken"
    case unrelatedKeyIDInToken = "UnrelatedKeyIdInToken"
    case badEnvironmentKeyInToken = "BadEnvironmentKeyInToken"
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case expiredToken = "ExpiredToken"
    case unregistered = "Unregistered"
    case payloadTooLarge = "PayloadTooLarge"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    case tooManyRequests = "TooManyRequests"
    case internalServerError = "InternalServerError"
    case serviceUnavailable = "ServiceUnavailable"
    case shutdown = "Shutdown"
    // Broadcasts and channels (Apple, "Handling error responses from APNs").
    case badChannelID = "BadChannelId"
    case badRequestParameters = "BadRequestParams"
    case badRequestPayload = "BadRequestPayload"
    case broadcastFeatureNotEnabled = "BroadcastFeatureNotEnabled"
    case cannotCreateChannelConfiguration = "CannotCreateChannelConfig"
    case channelNotRegistered = "ChannelNotRegistered"
    case missingChannelID = "MissingChannelId"
    case missingPushType = "MissingPushType"
    case topicMismatch = "TopicMismatch"
    /// Not on Apple's page; observed when a new channel has no valid storage policy.
    case missingChannelQueueSize = "MissingChannelQueueSize"
    /// Not an APNs reason: the answer of `strict.payload` to a payload that is not a JSON object.
    case malformedPayload = "MalformedPayload"

    public var status: UInt16 {
        switch self {
        case .badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority, .badTopic,
            .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType, .missingDeviceToken,
            .missingTopic, .payloadEmpty, .topicDisallowed, .malformedPayload, .badChannelID, .badRequestParameters,
            .badRequestPayload, .broadcastFeatureNotEnabled, .cannotCreateChannelConfiguration, .channelNotRegistered,
            .missingChannelID, .missingPushType, .missingChannelQueueSize:
            400
        case .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden, .invalidProviderToken,
            .missingProviderToken, .unrelatedKeyIDInToken, .badEnvironmentKeyInToken, .topicMismatch:
            403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .expiredToken, .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyProviderTokenUpdates, .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        }
    }

    /// The wire and Apple's pages spell `badEnvironmentKeyInToken` and `broadcastFeatureNotEnabled` differently.
    public enum Spelling: String, CaseIterable, Codable, Sendable {
        case observed
        /// `BadEnvironmentKeyIdInToken` and `FeatureNotEnabled`, as on Apple's pages.
        case documented
    }

    public func text(_ spelling: Spelling) -> String {
        switch (self, spelling) {
        case (.badEnvironmentKeyInToken, .documented): "BadEnvironmentKeyIdInToken"
        case (.broadcastFeatureNotEnabled, .documented): "FeatureNotEnabled"
        default: rawValue
        }
    }
}

/// A rejection: the answer on the wire and a diagnosis for people.
public struct APNsRejection: Error, Hashable, Sendable {
    public var reason: APNsReason
    /// When the device token became invalid; sent with status 410 only.
    public var timestamp: Instant?
    /// For the request log; never sent.
    public var diagnosis: Diagnosis

    public init(_ reason: APNsReason, _ code: String, _ message: String, timestamp: Instant? = nil) {
        self.reason = reason
        self.timestamp = timestamp
        diagnosis = Diagnosis(code, message)
    }

    /// `{"reason":"…"}`, with `timestamp` in milliseconds since 1970 for status 410.
    public func body(_ spelling: APNsReason.Spelling) -> [UInt8] {
        var body = #"{"reason":""# + reason.text(spelling) + "\""
        if reason.status == 410, let timestamp { body += #","timestamp":\#(timestamp.milliseconds)"# }
        return Array((body + "}").utf8)
    }
}

/// What is wrong with a request and how to fix it.
public struct Diagnosis: Hashable, Sendable, Codable {
    /// A stable identifier of the mistake, such as `token.swapped-ids`.
    public var code: String
    /// One or two sentences: what was sent, what to change.
    public var message: String

    public init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }
}
