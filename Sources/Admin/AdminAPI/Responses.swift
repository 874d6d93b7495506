internal import FoundationEssentials
internal import HTTPTypes
internal import HummingbirdCore
package import JSON
internal import NIOCore
internal import TLSEngine
internal import Time

struct RemovedAnswer: APIShape {
    var removed: Int
}

struct ErrorAnswer: APIShape {
    var error: String
    var status: Int

    static let shape = Shape([
        "error": .filled("Names the field and the remedy."),
        "status": .type("type: integer, minimum: 400, maximum: 599"),
    ])
}

/// The text, or base64 if it is not UTF-8, and the length.
struct PayloadAnswer: APIShape {
    var payloadText: String?
    var payloadBase64: String?
    var payloadByteCount: Int

    static let shape = Shape([
        "payloadText": "Absent if the payload is not UTF-8.",
        "payloadBase64": "Only if the payload is not UTF-8.",
        "payloadByteCount": "As sent.",
    ])

    /// - Parameter byteCount: The length as sent, if the payload was truncated.
    init(_ payload: [UInt8], byteCount: Int? = nil) {
        payloadText = String(validating: payload, as: UTF8.self)
        payloadBase64 = payloadText == nil ? Data(payload).base64EncodedString() : nil
        payloadByteCount = byteCount ?? payload.count
    }
}

extension Response {
    /// Ends with a line feed, for terminals.
    init(json: JSONValue, status: HTTPResponse.Status = .ok) { self.init(text: json.bytes, status: status) }

    /// - Parameter text: JSON; not copied, because it may be long.
    init(text: consuming [UInt8], status: HTTPResponse.Status = .ok) {
        text.append(ASCII.lineFeed)
        self.init(bytes: text, type: Self.json, status: status)
    }

    init(_ shape: some APIShape, status: HTTPResponse.Status = .ok) {
        self.init(text: JSONTextEncoder.bytes(shape, as: .answer), status: status)
    }

    init(removed count: Int) { self.init(RemovedAnswer(removed: count)) }

    init(removed isRemoved: Bool) { self.init(removed: isRemoved ? 1 : 0) }

    init(bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status, headers: Self.headers(of: type), body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A long answer, made while the client reads it. The connection ends if the client makes it wait for longer than
    /// `sendTimeout` in all: until then, the answer holds what it is made of.
    ///
    /// - Parameter send: Writes JSON in parts, none of which ends inside a string, because tokens are redacted in each.
    init(
        to configuration: AdminConfiguration,
        json send: @escaping @Sendable (_ write: ([UInt8]) async throws -> Void) async throws -> Void
    ) {
        let body = ResponseBody { writer in
            var waited = Duration.zero
            try await send { part in
                let start = configuration.now()
                try await writer.write(ByteBuffer(bytes: part))
                waited += configuration.now() - start
                if waited > configuration.sendTimeout { throw SlowClient() }
            }
            try await writer.write(ByteBuffer(string: "\n"))
            try await writer.finish(nil)
        }
        self.init(status: .ok, headers: Self.headers(of: Self.json), body: body)
    }

    private static let json = "application/json"

    private static func headers(of type: String) -> HTTPFields { [.contentType: type, .cacheControl: "no-store"] }

    /// 304 without the body if the client has it.
    init(bytes: [UInt8], type: String, tag: EntityTag, cacheControl: String, to request: Request) {
        self = tag.isKnown(to: request) ? Response(status: .notModified) : Response(bytes: bytes, type: type)
        headers[.eTag] = tag.text
        headers[.cacheControl] = cacheControl
    }
}

/// Reads a long answer too slowly.
struct SlowClient: Error {}

extension JSONValue {
    static func time(_ instant: Instant) -> JSONValue { .string(instant.text) }

    package init(_ shape: some APIShape) { self.init(answer: shape) }

    /// - Parameter value: A shape or a part of one.
    init(answer value: some Encodable) {
        do {
            try self.init(encoding: value)
        } catch {
            preconditionFailure("a shape has only texts, numbers and JSON: \(error)")
        }
    }

    static func headers(_ fields: [(name: String, value: String)]) -> JSONValue {
        .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
}

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
