internal import CNghttp2

let noFlags = UInt8(NGHTTP2_FLAG_NONE.rawValue)

/// Why an HTTP/2 connection must end; GOAWAY is queued where possible.
/// Calls that only queue or send frames throw it when memory is short.
public struct HTTP2Error: Error, Equatable, Sendable, CustomStringConvertible {
    /// nghttp2's library error code (negative).
    public let code: Int
    public let description: String

    /// The peer did not begin with the connection preface (RFC 9113 §3.4).
    public var isBadPreface: Bool { code == Int(NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue) }

    init(code: Int) {
        self.code = code
        self.description = String(cString: nghttp2_strerror(Int32(truncatingIfNeeded: code)))
    }

    @discardableResult
    static func check(_ code: some BinaryInteger) throws(HTTP2Error) -> Int {
        let status = Int(code)
        guard status >= 0 else { throw HTTP2Error(code: status) }
        return status
    }
}
