/// Where a provider token may depart from Apple's description; what working providers are known to send is accepted.
public struct TokenLeniency: Hashable, Sendable, Codable {
    /// A signature in DER instead of r‖s, as apnotic and Apple's own sample have it.
    public var derSignature = true
    /// Standard base64 with padding instead of base64url.
    public var standardBase64 = true
    /// No `alg` in the header, as in Apple's own sample.
    public var missingAlgorithm = true
    /// `iat` as a string, as APNSwift sends it.
    public var stringIssuedAt = true
    /// `iat` with a fraction, as PyAPNs2 sends it.
    public var fractionalIssuedAt = true
    /// Members beside `alg`, `kid`, `iss` and `iat`.
    public var extraMembers = true
    /// `ES512` over a P-256 key with r‖s padded to 132 bytes, as pushok sends it. Apple documents ES256 only.
    public var es512OverP256 = false

    public init() {}

    /// Exactly what Apple describes.
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

    /// Everything a client library has been seen to send.
    public static let lenient: TokenLeniency = {
        var leniency = TokenLeniency()
        leniency.es512OverP256 = true
        return leniency
    }()
}
