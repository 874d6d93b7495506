package import APNs

/// The settings of `auth`, `reasons`, `redact`, `strict`, `streams` and `tokens` in `config.yaml`, with their defaults.
package struct GatewaySettings: Sendable, Equatable {
    package var authenticationMode = AuthenticationMode.verify
    package var leniency = TokenLeniency()
    package var tokenPolicy = TokenPolicy()
    package var spelling = APNsReason.Spelling.observed
    package var pushTypeMismatch = TopicRules.MismatchReason.invalidPushType
    /// Rejects background pushes with priority 10 as `BadPriority`. Apple calls them an error; no rejection is known.
    package var refusesBackgroundPriority10 = false
    /// Rejects payloads that are not JSON objects. APNs does not parse payloads.
    package var refusesMalformedPayload = false
    package var unknownTokens = UnknownTokens.register
    /// Answers unknown tokens of `MagicTokens` with their reason.
    package var answersMagicTokens = false
    /// Allows one stream until the first accepted push, as APNs does.
    package var oneStreamUntilAccepted = true
    /// Allows one stream from a rejected push until the next accepted one, as APNs did around 2017.
    package var oneStreamAfterRejection = false
    /// SETTINGS_MAX_CONCURRENT_STREAMS once a connection is trusted.
    package var streamLimit: UInt32 = 1000
    /// For requests whose host name is not Apple's.
    package var defaultEnvironment = APNsEnvironment.sandbox

    /// Names from the payload inwards, of members whose values are replaced before anything is recorded.
    package var redactedMembers: [[String]] = []
    /// Replaces device tokens in answers of the admin API.
    package var redactsDeviceTokens = false
    /// Replaces key IDs there.
    package var redactsKeyIDs = false

    package enum AuthenticationMode: String, CaseIterable, Codable, Sendable {
        /// Tokens of registered keys must verify; tokens of unknown keys are accepted and flagged.
        case verify
        /// Only registered keys.
        case strict
        case off
    }

    /// The handling of a well-formed device token that was never issued.
    package enum UnknownTokens: String, CaseIterable, Codable, Sendable {
        case register
        case reject
    }

    package init() {}
}
