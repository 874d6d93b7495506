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
