/// The checks a push passes on its way in.
public enum AdmissionCheck: String, CaseIterable, Sendable {
    case duplicateHeaders, path, method, authentication, topic, messageID, expiration, priority, pushType, collapseID,
        deviceToken, payload, device

    /// The order of the checks; the first that fails names the reason.
    ///
    /// Apple says that a provider is authenticated before its push is looked at, and a probe with a token of zeros has
    /// shown that credential and topic are judged before the device token. How the rest is ordered among itself is not
    /// known; cheap checks come first.
    public static let order: [AdmissionCheck] = [
        .duplicateHeaders, .path, .method, .authentication, .topic, .messageID, .expiration, .priority, .pushType,
        .collapseID, .deviceToken, .payload, .device,
    ]
}
