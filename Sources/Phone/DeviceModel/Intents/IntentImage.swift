internal import APNs
internal import Fields
internal import JSON

/// A picture in an intent (`INImage`): `{"kind":"data","value":"<base64>"}`.
package enum IntentImage: Sendable, Hashable {
    case bytes([UInt8])
    /// A `file:///…` URL in the extension's folder; other URLs are not fetched.
    case url(String)
    /// An app resource.
    case named(String)
    case system(String)

    enum Kind: String, CaseIterable, Sendable { case data, url, named, system }

    /// Stores a picture; returns its SHA-256 in hexadecimal digits, or nil when it is not available.
    package typealias Storage = (IntentImage) -> String?
}

extension MemberReader {
    /// The SHA-256 of a picture: the member's own `sha256`, else computed by storing the picture.
    func image(_ name: String, _ store: IntentImage.Storage) -> String? { object(name)?.image(store) }

    func image(_ store: IntentImage.Storage) -> String? {
        if let digest = value("sha256", .digest) { return digest }
        guard let kind = value("kind", .word(IntentImage.Kind.self)), let text = value("value", .text) else {
            return nil
        }
        switch kind {
        case .url: return store(.url(text))
        case .named: return store(.named(text))
        case .system: return store(.system(text))
        case .data:
            let digits = Array(text.utf8.filter { $0 > 0x20 })
            guard let bytes = Base64.decode(digits.span.bytes)?.bytes else {
                report([.wrong(.string(text), at: path.member("value"), accepted: "a picture in base64")])
                return nil
            }
            return store(.bytes(bytes))
        }
    }
}

extension FieldFormat {
    static var digest: FieldFormat<String> {
        text(
            "64 hexadecimal digits", form: TextForm(pattern: "^[0-9a-fA-F]{64}$"),
            read: { text in
                let isDigest = text.utf8.count == 64 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
                return isDigest ? text.lowercased() : nil
            }, write: { $0 })
    }
}
