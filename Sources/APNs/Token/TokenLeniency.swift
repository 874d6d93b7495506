/// Where a provider token may depart from Apple's description; what working providers are known to send is accepted.
package struct TokenLeniency: Hashable, Sendable, Codable {
    /// A signature in DER instead of r‖s, as apnotic and Apple's own sample have it.
    package var derSignature = true
    /// Standard base64 with padding instead of base64url.
    package var standardBase64 = true
    /// No `alg` in the header, as in Apple's own sample.
    package var missingAlgorithm = true
    /// `iat` as a string, as APNSwift sends it.
    package var stringIssuedAt = true
    /// `iat` with a fraction, as PyAPNs2 sends it.
    package var fractionalIssuedAt = true
    /// Members beside `alg`, `kid`, `iss` and `iat`.
    package var extraMembers = true
    /// `ES512` over a P-256 key with r‖s padded to 132 bytes, as pushok sends it. Apple documents ES256 only.
    package var es512OverP256 = false

    package init() {}

    /// Exactly what Apple describes.
    package static let strict: TokenLeniency = {
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
    package static let lenient: TokenLeniency = {
        var leniency = TokenLeniency()
        leniency.es512OverP256 = true
        return leniency
    }()
}
