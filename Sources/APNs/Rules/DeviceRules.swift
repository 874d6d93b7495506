/// Whether a device token accepts pushes.
public enum RegistrationStatus: Hashable, Sendable, Codable {
    case active
    /// The app was removed, or push was turned off permanently.
    case unregistered(since: Instant)
    /// The token is too old.
    case expired(since: Instant)
}

public enum DeviceRules {
    /// - Parameters:
    ///   - issued: What the device token was issued for.
    ///   - environment: That of the host the provider connected to.
    public static func check(
        _ status: RegistrationStatus, issued: (topic: String, environment: APNsEnvironment), topic: String,
        environment: APNsEnvironment
    ) throws(APNsRejection) {
        guard issued.environment == environment else {
            throw APNsRejection(
                .badDeviceToken, "device-token.environment",
                "The device token belongs to the \(issued.environment.rawValue) environment, the request went to "
                    + "\(environment.rawValue).")
        }
        guard issued.topic == topic else {
            throw APNsRejection(
                .deviceTokenNotForTopic, "device-token.topic",
                "The device token was issued for topic '\(issued.topic)', the push is for '\(topic)'.")
        }
        switch status {
        case .active: break
        case .unregistered(let since):
            throw APNsRejection(
                .unregistered, "device-token.unregistered",
                "The app was removed from the device; stop pushing to this token.", timestamp: since)
        case .expired(let since):
            throw APNsRejection(
                .expiredToken, "device-token.expired",
                "The device token has expired; stop pushing to it.", timestamp: since)
        }
    }

    /// Rejects a token that was never issued.
    public static var unknown: APNsRejection {
        APNsRejection(
            .badDeviceToken, "device-token.unknown",
            "The device token is well formed, but was never issued here. Register the device first, or accept "
                + "unknown tokens (tokens.unknown: register).")
    }
}
