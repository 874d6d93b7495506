internal import JSON
internal import RequestWire

/// What people send in place of a provider token or around it, and what to send instead.
enum ProviderTokenLookalike {
    /// - Parameter token: What follows `bearer`, if it is no token; not repeated, as it may be another secret.
    /// - Returns: nil for a text without a known mistake.
    static func hint(about token: RawSpan) -> String? {
        let text = token.text
        let word = text.lowercased()
        if word.hasPrefix("bearer ") {
            return "authorization has 'bearer' twice; send 'authorization: bearer <token>'."
        }
        if word.hasPrefix("b'") || word.hasPrefix("b\"") {
            return "This is the printed form of Python's bytes; decode the token to text."
        }
        if ["\"", "'"].contains(where: { text.hasPrefix($0) || text.hasSuffix($0) }) {
            return "The token is in quotation marks; send it without them."
        }
        if text.hasSuffix("\\n") || text.hasSuffix("\\r") {
            return "The token ends with the characters \(text.suffix(2)), an escaped line break; remove them."
        }
        if word == "[object promise]" { return "This is a Promise of JavaScript, not a JWT; await the token." }
        if ["null", "nil", "none", "undefined", "nan", "[object object]"].contains(word) {
            return "This is the text of a missing value, '\(text)', and no JWT; `pushcote token` prints one."
        }
        if ["$", "<", ">", "{", "}"].contains(where: { text.contains($0) }) {
            return "This is a placeholder that no value has replaced, and no JWT; `pushcote token` prints one."
        }
        if text.contains(where: \.isWhitespace) { return "The token has white space in it; a JWT has none." }
        return nil
    }
}
