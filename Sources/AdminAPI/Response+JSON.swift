internal import APNs
internal import Hummingbird
internal import JSON

extension Response {
    /// An answer in JSON, with a line feed behind it for terminals.
    init(json: JSONValue, status: HTTPResponse.Status = .ok) {
        self.init(bytes: json.bytes + [UInt8(ascii: "\n")], type: "application/json", status: status)
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
}
