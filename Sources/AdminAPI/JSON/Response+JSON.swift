internal import Hummingbird

extension Response {
    /// An answer in JSON, with a line feed behind it for terminals.
    init(json: JSONTree, status: HTTPResponse.Status = .ok) {
        var bytes: [UInt8] = []
        json.write(into: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        self.init(bytes: bytes, type: "application/json", status: status)
    }

    init(bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status,
            headers: [.contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
