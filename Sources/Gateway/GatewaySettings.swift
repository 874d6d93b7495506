package import APNs

/// The settings of `auth`, `reasons`, `strict`, `streams` and `tokens` in `config.yaml`, with their defaults.
package struct GatewaySettings: Sendable, Equatable {
    package var authenticationMode = AuthenticationMode.verify
    package var leniency = TokenLeniency()
    package var tokenPolicy = TokenPolicy()
    package var spelling = APNsReason.Spelling.observed
    /// The reason for a push type that does not match its topic.
    package var pushTypeMismatch = TopicRules.MismatchReason.invalidPushType
    /// Whether a background push with priority 10 is rejected as `BadPriority`. Apple calls it an error, but no rejection
    /// has been reported.
    package var refusesBackgroundPriority10 = false
    /// Whether a payload that is not a JSON object is rejected. APNs does not parse payloads.
    package var refusesMalformedPayload = false
    package var unknownTokens = UnknownTokens.register
    /// One stream until the first accepted token, as APNs allows.
    package var oneStreamUntilAccepted = true
    /// One stream after a rejected push until the next accepted one, as APNs did around 2017.
    package var oneStreamAfterRejection = false
    /// SETTINGS_MAX_CONCURRENT_STREAMS once a connection is trusted.
    package var streamLimit: UInt32 = 1000
    /// The environment of requests whose host name is not one of Apple's.
    package var defaultEnvironment = APNsEnvironment.sandbox

    package enum AuthenticationMode: String, CaseIterable, Codable, Sendable {
        /// Tokens of registered keys must verify; tokens of unknown keys are accepted and flagged.
        case verify
        /// Only registered keys.
        case strict
        /// Credentials are neither needed nor checked.
        case off
    }

    /// The effect of a well-formed device token that was never issued.
    package enum UnknownTokens: String, CaseIterable, Codable, Sendable {
        /// A device is created for it.
        case register
        /// `BadDeviceToken`.
        case reject
    }

    package init() {}
}
