/// Accepted departures of provider tokens from Apple's description; the defaults accept what working providers send.
public struct TokenLeniency: Hashable, Sendable, Codable {
    /// A DER signature instead of r‖s, as apnotic and Apple's own sample send.
    public var derSignature = true
    /// Padded standard base64 instead of base64url.
    public var standardBase64 = true
    /// No `alg` in the header, as in Apple's own sample.
    public var missingAlgorithm = true
    /// `iat` as a string, as APNSwift sends it.
    public var stringIssuedAt = true
    /// `iat` with a fraction, as PyAPNs2 sends it.
    public var fractionalIssuedAt = true
    /// Members besides `alg`, `kid`, `iss` and `iat`.
    public var extraMembers = true
    /// `ES512` over a P-256 key with r‖s padded to 132 bytes, as pushok sends it. Apple documents ES256 only.
    public var es512OverP256 = false

    public init() {}

    public static let strict: TokenLeniency = {
        var leniency = TokenLeniency()
        leniency.derSignature = false
        leniency.standardBase64 = false
        leniency.missingAlgorithm = false
        leniency.stringIssuedAt = false
        leniency.fractionalIssuedAt = false
        leniency.extraMembers = false
        return leniency
    }()

    /// Everything that client libraries are known to send.
    public static let lenient: TokenLeniency = {
        var leniency = TokenLeniency()
        leniency.es512OverP256 = true
        return leniency
    }()
}
