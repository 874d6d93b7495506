internal import FoundationEssentials
package import TLSEngine

/// Creates provider tokens (RFC 7515, ES256).
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
    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
