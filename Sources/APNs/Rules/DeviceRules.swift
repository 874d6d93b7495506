/// What a device token was issued for.
public struct TokenFacts: Sendable {
    public var topic: String
    public var environment: APNsEnvironment
    public var status: Status

    public enum Status: Hashable, Sendable {
        case active
        /// The app was removed, or push was turned off permanently.
        case unregistered(since: Instant)
        case expired(since: Instant)
    }

    public init(topic: String, environment: APNsEnvironment, status: Status) {
        self.topic = topic
        self.environment = environment
        self.status = status
    }
}

public enum DeviceRules {
    /// - Parameter environment: That of the host the provider connected to.
    public static func check(
        _ facts: TokenFacts, topic: String, environment: APNsEnvironment
    ) throws(APNsRejection) {
        guard facts.environment == environment else {
            throw APNsRejection(
                .badDeviceToken,
                Diagnosis(
                    "device-token.environment",
                    "The device token belongs to the \(facts.environment.rawValue) environment, the request went to "
                        + "\(environment.rawValue)."))
        }
        guard facts.topic == topic else {
            throw APNsRejection(
                .deviceTokenNotForTopic,
                Diagnosis(
                    "device-token.topic",
                    "The device token was issued for topic '\(facts.topic)', the push is for '\(topic)'."))
        }
        switch facts.status {
        case .active: break
        case .unregistered(let since):
            throw APNsRejection(
                .unregistered, timestamp: since,
                Diagnosis(
                    "device-token.unregistered", "The app was removed from the device; stop pushing to this token."))
        case .expired(let since):
            throw APNsRejection(
                .expiredToken, timestamp: since,
                Diagnosis("device-token.expired", "The device token has expired; stop pushing to it."))
        }
    }

    /// Rejects a token that was never issued.
    public static var unknown: APNsRejection {
        APNsRejection(
            .badDeviceToken,
            Diagnosis(
                "device-token.unknown",
                "The device token is well formed, but was never issued here. Register the device first, or accept "
                    + "unknown tokens (tokens.unknown: register)."))
    }
}
