package import APNs

/// How a gateway behaves where APNs, or a tester, leaves a choice. Every value has a key in `config.yaml`.
package struct GatewaySettings: Sendable, Equatable {
    package var authenticationMode = AuthenticationMode.verify
    package var leniency = TokenLeniency()
    package var tokenPolicy = TokenPolicy()
    package var spelling = APNsReason.Spelling.observed
    /// What a push type that does not fit its topic is told.
    package var pushTypeMismatch = TopicRules.MismatchReason.invalidPushType
    /// Whether a background push with priority 10 is refused as `BadPriority`; Apple calls it an error, but nobody has
    /// reported a refusal.
    package var refusesBackgroundPriority10 = false
    /// Whether a payload that is no JSON object is refused. APNs does not look inside; this is not its behaviour.
    package var refusesMalformedPayload = false
    package var unknownTokens = UnknownTokens.register
    /// One stream until the first accepted token, as APNs allows.
    package var oneStreamUntilAccepted = true
    /// One stream after a refused push until the next accepted one, as APNs did around 2017.
    package var oneStreamAfterRejection = false
    /// SETTINGS_MAX_CONCURRENT_STREAMS once a connection is trusted.
    package var streamLimit: UInt32 = 1000
    /// Where a request goes whose host names neither environment.
    package var defaultEnvironment = APNsEnvironment.sandbox

    /// What is asked of a provider's credentials.
    package enum AuthenticationMode: String, CaseIterable, Codable, Sendable {
        /// A token signed with a registered key must verify; one with an unknown key is accepted and flagged.
        case verify
        /// Only registered keys.
        case strict
        /// No credentials are needed, and none are looked at.
        case off
    }

    /// What becomes of a well-formed device token that was never issued.
    package enum UnknownTokens: String, CaseIterable, Codable, Sendable {
        /// It registers a device on the fly.
        case register
        /// `BadDeviceToken`.
        case reject
    }

    package init() {}
}
