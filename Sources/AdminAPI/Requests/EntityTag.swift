internal import Hummingbird
internal import TLSEngine

/// A strong validator (RFC 9110 §8.8.3): the SHA-256 of the body.
struct EntityTag: Sendable {
    let text: String

    init(sha256 digest: String) { text = "\"\(digest)\"" }

    init(of body: [UInt8]) { self.init(sha256: SHA256.digest(body.span.bytes).hexadecimal) }

    /// Whether the client has this body, by `If-None-Match`.
    func isKnown(to request: Request) -> Bool {
        let known = request.headers[.ifNoneMatch] ?? ""
        return known == "*" || known.split(separator: ",").contains { $0.drop { $0 == " " }.hasSuffix(text) }
    }
}

extension Response {
    /// 304 without the body if the client has it.
    init(bytes: [UInt8], type: String, tag: EntityTag, cacheControl: String, to request: Request) {
        self = tag.isKnown(to: request) ? Response(status: .notModified) : Response(bytes: bytes, type: type)
        headers[.eTag] = tag.text
        headers[.cacheControl] = cacheControl
    }
}
