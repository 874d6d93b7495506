public import Time

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

/// Device tokens that encode their answer, so tests need no setup: the last eight digits are `badd`, a digit, and the status.
public enum MagicTokens {
    public static let table: [(suffix: UInt32, reason: APNsReason)] = [
        (0xbadd_0400, .badDeviceToken),
        (0xbadd_1400, .deviceTokenNotForTopic),
        (0xbadd_0410, .unregistered),
        (0xbadd_1410, .expiredToken),
        (0xbadd_0429, .tooManyRequests),
        (0xbadd_0500, .internalServerError),
        (0xbadd_0503, .serviceUnavailable),
        (0xbadd_1503, .shutdown),
    ]

    /// - Returns: nil for any other token.
    public static func rejection(of token: DeviceToken, at now: Instant) -> APNsRejection? {
        let suffix = token.bytes.suffix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        guard let (_, reason) = table.first(where: { $0.suffix == suffix }) else { return nil }
        return APNsRejection(
            reason, "device-token.magic",
            "The device token ends with \(String(suffix, radix: 16)), a magic token for \(reason.rawValue). A token that is "
                + "registered here is not magic; tokens.magic: false turns magic tokens off.",
            timestamp: reason.status == 410 ? now : nil)
    }
}
