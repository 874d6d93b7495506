package import TLSEngine

/// Makes provider tokens as Apple describes them (RFC 7515, ES256).
package struct ProviderTokenMaker: Sendable {
    package var keyID: String
    package var teamID: String
    package var key: P256PrivateKey

    package init(keyID: String, teamID: String, key: P256PrivateKey) {
        (self.keyID, self.teamID, self.key) = (keyID, teamID, key)
    }

    /// - Parameter issuedAt: Seconds since 1970.
    package func token(issuedAt: Int64) -> String {
        let header = #"{"alg":"ES256","kid":"\#(Self.escaped(keyID))"}"#
        let claims = #"{"iss":"\#(Self.escaped(teamID))","iat":\#(issuedAt)}"#
        let signed = Self.base64URL(Array(header.utf8)) + "." + Self.base64URL(Array(claims.utf8))
        return signed + "." + Self.base64URL(key.signature(of: Array(signed.utf8)))
    }

    /// RFC 4648 §5 without padding.
    static func base64URL(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for position in 0...group.count { text.append(alphabet[bits >> (18 - 6 * position) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
