/// What a session decoded, in the order it arrived.
public enum HTTP2Event: Sendable {
    /// A request arrived whole, or has sent more body than is drained.
    case request(Request)
    /// A header list is over the limit; its fields were dropped while they were decoded.
    case headerListTooLarge(stream: Int32)
    /// A stream ended; a late answer to it goes nowhere.
    case streamClosed(stream: Int32, errorCode: UInt32)
    /// The peer's SETTINGS, identifier and value in frame order.
    case settings([HTTP2Setting])
    /// The peer asked for a sign of life; the answer is already queued.
    case ping
    /// The peer answered our PING.
    case pingAcknowledged
    /// The peer will open no more streams.
    case goAway(errorCode: UInt32)
    /// A stream above the limit was refused.
    case streamRefused(stream: Int32)
    /// The peer asked too much; GOAWAY is queued, and nothing more is read.
    case attack(AttackClass)
}

/// One entry of a SETTINGS frame.
public struct HTTP2Setting: Equatable, Sendable, Codable {
    /// The identifier of RFC 9113 §6.5.2.
    public var identifier: UInt16
    public var value: UInt32

    public init(identifier: UInt16, value: UInt32) {
        self.identifier = identifier
        self.value = value
    }

    /// The setting's name in RFC 9113, or its number when it has none there.
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
