/// Why a text is not the key it should be; says what it is and what to do.
package enum KeyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Nothing in PEM form.
    case notPEM
    /// A provider token, not the key that signs one.
    case isToken
    case isCertificate
    case isEncrypted
    /// Some other key.
    case notP256
    /// In PEM form, but damaged.
    case damaged(String)

    package var description: String {
        switch self {
        case .notPEM: "no '-----BEGIN PRIVATE KEY-----' in it: use the .p8 file as Apple gives it"
        case .isToken: "this is a provider token, not a key: use the .p8 file that signs tokens"
        case .isCertificate: "this is a certificate, not a key"
        case .isEncrypted: "the key is encrypted: decrypt it with `openssl pkcs8 -in FILE -out KEY.p8`"
        case .notP256: "not an elliptic-curve key on P-256, as ES256 needs"
        case .damaged(let reason): "the PEM text is damaged (\(reason))"
        }
    }

    /// What a text that gave no key is.
    static func classify(_ text: String) -> KeyError {
        let reasons = OpenSSLErrors.drain()
        if text.contains("-----BEGIN ENCRYPTED") || text.contains("Proc-Type: 4,ENCRYPTED") { return .isEncrypted }
        if text.contains("PRIVATE KEY-----") || text.contains("PUBLIC KEY-----") {
            return .damaged(reasons.first ?? "unreadable")
        }
        if text.contains("-----BEGIN CERTIFICATE") { return .isCertificate }
        return text.hasPrefix("ey") && text.split(separator: ".").count == 3 ? .isToken : .notPEM
    }
}
