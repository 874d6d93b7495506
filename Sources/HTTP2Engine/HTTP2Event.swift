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
