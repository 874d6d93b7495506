/// The checks on an incoming push; the first failure determines the reason.
public enum AdmissionCheck: String, CaseIterable, Sendable {
    case duplicateHeaders, path, method, authentication, topic, messageID, expiration, priority, pushType, collapseID,
        deviceToken, payload, device

    /// Apple documents that authentication comes before the push, and a probe with an all-zero token showed that APNs
    /// checks credential and topic before the device token. The rest of the order is unknown; cheap checks come first.
    public static let order: [AdmissionCheck] = [
        .duplicateHeaders, .path, .method, .authentication, .topic, .messageID, .expiration, .priority, .pushType,
        .collapseID, .deviceToken, .payload, .device,
    ]
}
