internal import CNghttp2
public import RequestWire

/// Events decoded by a session, in order of arrival.
public enum HTTP2Event: Sendable {
    /// The request is complete, or has sent more body than `HTTP2Settings.drainedBodyByteCount`.
    case request(Request)
    /// The header list is over the limit; its fields were dropped during decoding.
    case headerListTooLarge(stream: Int32)
    /// A stream ended before its answer, which can no longer be sent.
    case streamClosed(stream: Int32, errorCode: UInt32)
    case settings([HTTP2Setting])
    /// The acknowledgement is already queued.
    case ping
    case pingAcknowledged
    case goAway(errorCode: UInt32)
    /// A stream above the limit, or above the last stream of our GOAWAY.
    case streamRefused(stream: Int32)
    /// The peer exceeded a limit; GOAWAY is queued and reading has stopped.
    case attack(AttackClass)
}

/// One entry of a SETTINGS frame (RFC 9113 §6.5.2).
public struct HTTP2Setting: Equatable, Sendable, Codable {
    public var identifier: UInt16
    public var value: UInt32

    /// The name in RFC 9113 or RFC 8441, or the number when it has none.
    public var name: String {
        switch identifier {
        case 1: "HEADER_TABLE_SIZE"
        case 2: "ENABLE_PUSH"
        case 3: "MAX_CONCURRENT_STREAMS"
        case 4: "INITIAL_WINDOW_SIZE"
        case 5: "MAX_FRAME_SIZE"
        case 6: "MAX_HEADER_LIST_SIZE"
        case 8: "ENABLE_CONNECT_PROTOCOL"
        default: String(identifier)
        }
    }
}

public struct Request: Sendable {
    /// The stream to answer on (RFC 9113 §5.1.1); 1 for HTTP/1.1.
    public let stream: Int32
    /// Header fields, pseudo-header fields included, and the stored part of the body.
    public internal(set) var block: RequestBlock

    public init(stream: Int32, block: RequestBlock) {
        self.stream = stream
        self.block = block
    }
}

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
