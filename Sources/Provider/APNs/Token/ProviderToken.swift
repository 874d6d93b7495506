internal import JSON
internal import RequestWire
public import Time

/// A parsed, unverified provider token (Apple, "Establishing a token-based connection to APNs").
public struct ProviderToken: Hashable, Sendable {
    /// `kid`.
    public var keyID: String
    /// `iss`.
    public var teamID: String
    /// `iat`.
    public var issuedAt: Instant
    public var digest: Digest
    /// The first two parts and the dot between them.
    public var signedBytes: [UInt8]
    public var signature: [UInt8]

    public enum Digest: Hashable, Sendable { case sha256, sha512 }

    /// Longest token that is parsed; real ones have about 200 bytes.
    public static let maximumByteCount = 4096

    /// - Parameter header: The value of `authorization`; `bearer` is case-insensitive.
    public static func bearer(_ header: RawSpan) throws(APNsRejection) -> Range<Int> {
        let scheme = "bearer "
        var offset = 0
        for expected in scheme.utf8 {
            guard offset < header.byteCount else { throw missing(header) }
            let byte = header.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            guard byte == expected || (byte | 0x20 == expected && expected != 0x20) else { throw missing(header) }
            offset += 1
        }
        while offset < header.byteCount, header.unsafeLoad(fromByteOffset: offset, as: UInt8.self) == 0x20 {
            offset += 1
        }
        guard offset < header.byteCount else { throw missing(header) }
        return offset..<header.byteCount
    }

    private static func missing(_ header: RawSpan) -> APNsRejection {
        let hint =
            header.isEmpty
            ? "The request has neither a client certificate nor an authorization header."
            : "authorization does not begin with 'bearer ' and a token."
        return APNsRejection(
            .missingProviderToken, "token.missing",
            "\(hint) Send 'authorization: bearer <token>'; `pushcote token` prints one.")
    }

    /// - Parameter text: Three base64 parts separated by dots.
    public init(_ text: RawSpan, leniency: TokenLeniency) throws(APNsRejection) {
        let parts = try Self.split(text)
        let header = try Self.object(parts[0], of: text, "header", leniency)
        let claims = try Self.object(parts[1], of: text, "claims", leniency)
        digest = try Self.digest(header, leniency)
        keyID = try Self.identifier("kid", "key id", in: header)
        teamID = try Self.identifier("iss", "team id", in: claims)
        issuedAt = try Self.issuedAt(claims, leniency)
        if !leniency.extraMembers { try Self.checkMembers(header, claims) }
        signature = try Self.decode(parts[2], of: text, "signature", leniency)
        signedBytes = text.extracting(0..<parts[1].upperBound).withUnsafeBytes { Array($0) }
        try Self.checkSignatureForm(signature, digest, leniency)
    }

    static func invalid(_ code: String, _ message: String) -> APNsRejection {
        APNsRejection(.invalidProviderToken, code, message)
    }

    private static func split(_ text: RawSpan) throws(APNsRejection) -> [Range<Int>] {
        guard text.byteCount <= maximumByteCount else {
            throw invalid("token.length", "The token has \(text.byteCount) bytes; real ones have about 200.")
        }
        // A PEM header, or the first base64 bytes of a P-256 key: PKCS#8 or SEC 1.
        let isKey = (["-----", "MIGHAgEAMBMG", "MIGTAgEAMBMG", "MHcCAQEE"] as [StaticString]).contains { start in
            text.byteCount >= start.utf8CodeUnitCount && text.extracting(0..<start.utf8CodeUnitCount).equals(start)
        }
        if isKey {
            throw invalid("token.pem", "This is a key in PEM form, not a token: sign a token with it and send that.")
        }
        let dots = (0..<text.byteCount).filter { text.unsafeLoad(fromByteOffset: $0, as: UInt8.self) == 0x2e }
        guard dots.count == 2 else {
            let count = dots.isEmpty ? "1 part" : "\(dots.count + 1) parts"
            throw invalid(
                "token.parts",
                ProviderTokenLookalike.hint(about: text)
                    ?? "The token is no JWT: it has \(count) instead of three, separated by dots: header, claims and "
                    + "signature.")
        }
        return [0..<dots[0], dots[0] + 1..<dots[1], dots[1] + 1..<text.byteCount]
    }

    private static func decode(
        _ range: Range<Int>, of text: RawSpan, _ part: String, _ leniency: TokenLeniency
    ) throws(APNsRejection) -> [UInt8] {
        guard let (bytes, isStandard) = Base64.decode(text.extracting(range)), !bytes.isEmpty else {
            let hint = ProviderTokenLookalike.hint(about: text)
            throw invalid("token.base64", hint ?? "The token's \(part) is not base64url.")
        }
        guard !isStandard || leniency.standardBase64 else {
            throw invalid(
                "token.standard-base64", "The token's \(part) is standard base64; JWTs use base64url without padding.")
        }
        return bytes
    }

    private static func object(
        _ range: Range<Int>, of text: RawSpan, _ part: String, _ leniency: TokenLeniency
    ) throws(APNsRejection) -> JSONObject {
        let bytes = try decode(range, of: text, part, leniency)
        guard case .object(let object)? = JSONValue(bytes.span.bytes) else {
            throw invalid("token.json", "The token's \(part) is not a JSON object.")
        }
        return object
    }
}

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
