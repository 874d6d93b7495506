internal import APNs
internal import Fields
internal import JSON

/// A picture in an intent (`INImage`), as JSON has it: `{"kind":"data","value":"<base64>"}`.
package enum IntentImage: Sendable, Hashable {
    case bytes([UInt8])
    /// A file in the extension's folder, as `file:///…`; other addresses are not fetched.
    case url(String)
    /// A picture among the app's resources.
    case named(String)
    case system(String)

    enum Kind: String, CaseIterable, Sendable {
        case data, url, named, system
    }

    /// Stores a picture.
    ///
    /// - Returns: its SHA-256 in hexadecimal digits; nil when it is not available.
    package typealias Keeper = (IntentImage) -> String?
}

extension MemberReader {
    /// The SHA-256 of a member that is a picture: stored now, or earlier if it has `sha256`.
    func image(_ name: String, _ keep: IntentImage.Keeper) -> String? {
        object(name)?.image(keep)
    }

    /// The SHA-256 of the picture that the object itself is.
    func image(_ keep: IntentImage.Keeper) -> String? {
        if let digest = value("sha256", .digest) { return digest }
        guard let kind = value("kind", .word(IntentImage.Kind.self)),
            let text = value("value", .text)
        else { return nil }
        switch kind {
        case .url: return keep(.url(text))
        case .named: return keep(.named(text))
        case .system: return keep(.system(text))
        case .data:
            guard let bytes = Base64.decode(text.filter { !$0.isWhitespace }.utf8Span.span.bytes)?.bytes else {
                report([.wrong(.string(text), at: path.member("value"), accepted: "a picture in base64")])
                return nil
            }
            return keep(.bytes(bytes))
        }
    }
}

extension FieldFormat {
    /// A SHA-256: 64 hexadecimal digits.
    static var digest: FieldFormat<String> {
        text(
            "64 hexadecimal digits", form: TextForm(pattern: "^[0-9a-fA-F]{64}$"),
            read: { text in
                let isDigest = text.utf8.count == 64 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
                return isDigest ? text.lowercased() : nil
            }, write: { $0 })
    }
}
