internal import APNs
internal import FoundationEssentials
internal import Hummingbird
package import JSON

extension Response {
    /// An answer in JSON, with a line feed behind it for terminals.
    init(json: JSONValue, status: HTTPResponse.Status = .ok) {
        self.init(bytes: json.bytes + [UInt8(ascii: "\n")], type: "application/json", status: status)
    }

    init(_ shape: some APIShape, status: HTTPResponse.Status = .ok) {
        self.init(json: JSONValue(shape), status: status)
    }

    init(bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status,
            headers: [.contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension JSONValue {
    /// ISO 8601 with milliseconds, UTC.
    static func time(_ instant: Instant) -> JSONValue { .string(instant.text) }

    package init(_ shape: some APIShape) {
        do {
            try self.init(encoding: shape)
        } catch {
            preconditionFailure("a shape has only texts, numbers and JSON: \(error)")
        }
    }

    /// A payload as members: its text, or base64 when it is none, and its length.
    /// - Parameter byteCount: The length as sent, when less was kept.
    static func payload(_ payload: [UInt8], byteCount: Int? = nil) -> JSONValue {
        let text = String(validating: payload, as: UTF8.self)
        return [
            "payloadText": text.map { .string($0) },
            "payloadBase64": text == nil ? .string(Data(payload).base64EncodedString()) : nil,
            "payloadByteCount": .integer(byteCount ?? payload.count),
        ]
    }

    /// A payload as JSON, byte for byte; `nil` when it is not JSON.
    static func value(_ payload: [UInt8]) -> JSONValue? {
        JSONValue(payload.span.bytes) == nil ? nil : .verbatim(payload)
    }

    static func headers(_ fields: [(name: String, value: String)]) -> JSONValue {
        .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
}
