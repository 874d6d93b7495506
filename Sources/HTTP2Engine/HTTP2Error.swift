internal import CNghttp2

/// Why an HTTP/2 connection cannot go on; the session has queued the GOAWAY that says so.
public struct HTTP2Error: Error, Equatable, Sendable, CustomStringConvertible {
    /// nghttp2's library error code (negative).
    public let code: Int
    /// nghttp2's words for the code.
    public let description: String

    /// The peer's first bytes are not the connection preface of RFC 9113 §3.4.
    public var isBadPreface: Bool { code == Int(NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue) }

    init(code: Int) {
        self.code = code
        self.description = String(cString: nghttp2_strerror(Int32(truncatingIfNeeded: code)))
    }

    /// Turns nghttp2's status into Swift at the call.
    /// - Returns: The status, when it is not negative.
    @discardableResult
    static func check(_ status: Int) throws(HTTP2Error) -> Int {
        guard status >= 0 else { throw HTTP2Error(code: status) }
        return status
    }
}
