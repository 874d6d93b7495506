/// The checks on an incoming push, in order; the first failure determines the reason.
///
/// Apple documents that authentication comes before the push, and a probe with an all-zero token showed that APNs
/// checks credential and topic before the device token. The rest of the order is unknown; cheap checks come first.
public enum AdmissionCheck: String, CaseIterable, Sendable {
    case duplicateHeaders, path, method, authentication, topic, messageID, expiration, priority, pushType, collapseID,
        deviceToken, payload, device

    /// `allCases`, computed once.
    public static let order = allCases
}
