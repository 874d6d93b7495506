/// Why a PEM text is not the expected key.
package enum KeyError: Error, Equatable, Sendable, CustomStringConvertible {
    case notPEM
    /// A provider token instead of the key that signs it.
    case isToken
    case isCertificate
    case isEncrypted
    case notP256
    /// PEM with damaged contents.
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
