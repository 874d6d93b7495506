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
