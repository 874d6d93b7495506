internal import JSON

extension ProviderToken {
    /// `alg`.
    static func digest(_ header: JSONObject, _ leniency: TokenLeniency) throws(APNsRejection) -> Digest {
        switch header["alg"] {
        case .string("ES256"): return .sha256
        case .string("ES512") where leniency.es512OverP256: return .sha512
        case nil where leniency.missingAlgorithm: return .sha256
        case nil: throw invalid("token.algorithm", "The token's header has no alg; it must be ES256.")
        case .string(let name):
            throw invalid("token.algorithm", "The token's alg is '\(name)'; APNs accepts ES256 only.")
        default: throw invalid("token.algorithm", "The token's alg is not a string; it must be \"ES256\".")
        }
    }

    /// `kid` and `iss`: a non-empty string. Apple's have ten characters; the key store decides which are known.
    static func identifier(_ name: String, _ meaning: String, in object: JSONObject) throws(APNsRejection) -> String {
        switch object[name] {
        case .string(let value) where !value.isEmpty && value.utf8.count <= 64: return value
        case nil: throw invalid("token.\(name)", "The token has no \(name), the ten characters of the \(meaning).")
        default:
            throw invalid(
                "token.\(name)", "The token's \(name) must be a string, the ten characters of the \(meaning).")
        }
    }

    /// `iat`: seconds since 1970.
    static func issuedAt(_ claims: JSONObject, _ leniency: TokenLeniency) throws(APNsRejection) -> Instant {
        let text: String
        switch claims["iat"] {
        case .integer(let value): text = String(value)
        case .number(let value): text = String(value)
        case .string(let value) where leniency.stringIssuedAt: text = value
        case .string: throw invalid("token.iat", "The token's iat is a string; it must be a number of seconds.")
        case .null, .bool, .array, .object, .verbatim:
            throw invalid("token.iat", "The token's iat is not a number of seconds.")
        case nil: throw invalid("token.iat", "The token has no iat, the creation time in seconds since 1970.")
        }
        guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else {
            throw invalid("token.iat", "The token's iat '\(text.prefix(40))' is not a number of seconds since 1970.")
        }
        guard leniency.fractionalIssuedAt || seconds == seconds.rounded() else {
            throw invalid("token.iat", "The token's iat '\(text.prefix(40))' has a fraction.")
        }
        return Instant(seconds: seconds)
    }

    static func checkMembers(_ header: JSONObject, _ claims: JSONObject) throws(APNsRejection) {
        let surplus =
            header.keys.filter { !["alg", "kid", "typ"].contains($0) }
            + claims.keys.filter { !["iss", "iat"].contains($0) }
        guard !surplus.isEmpty else { return }
        throw invalid(
            "token.members", "The token has members that Apple does not document: \(surplus.joined(separator: ", ")).")
    }

    /// r‖s in 64 bytes, or 132 for ES512, or DER.
    static func checkSignatureForm(
        _ signature: [UInt8], _ digest: Digest, _ leniency: TokenLeniency
    ) throws(APNsRejection) {
        if signature.count == (digest == .sha256 ? 64 : 132) { return }
        let isDER = signature.count >= 8 && signature[0] == 0x30
        if isDER && leniency.derSignature { return }
        throw invalid(
            "token.signature-form",
            isDER
                ? "The signature is in DER form; a JWT needs r and s with 32 bytes each."
                : "The signature has \(signature.count) bytes; ES256 has 64: r and s with 32 bytes each.")
    }
}
