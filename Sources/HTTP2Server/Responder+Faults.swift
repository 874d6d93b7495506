public import HTTP2Engine

/// What a server does that misbehaves because it was asked to.
extension Responder {
    /// Never answers; the stream stays open, and a graceful stop does not wait for it.
    public func abandon() { sink.abandon(stream) }

    /// Ends the stream with RST_STREAM instead of an answer.
    public func reset(_ code: HTTP2ErrorCode) { sink.reset(stream, code) }

    /// Answers with a body, or an end, that leaves byte by byte.
    public func respond(_ response: Response, every pause: Duration) {
        var response = response
        response.isPaced = true
        response.frameByteCount = 1
        sink.respond(to: stream, with: response)
        sink.trickle(stream, every: pause)
    }

    /// Sends GOAWAY frames as they are told.
    public func send(_ notice: GoAwayNotice) { sink.send(notice, about: stream) }

    /// Ends the whole connection without a word.
    public func end(_ end: ConnectionEnd) { sink.end(end) }

    /// Does something later on the connection's event loop, unless the connection is gone by then.
    public func schedule(after delay: Duration, _ body: @escaping () -> Void) {
        sink.schedule(after: delay, body)
    }
}

/// A GOAWAY that does not describe what the server really does.
public struct GoAwayNotice: Sendable, Hashable {
    public var code: HTTP2ErrorCode
    /// The last-stream-id; `nil` for the stream it is about, less `unprocessed`.
    public var lastStream: Int32?
    /// How many streams up to the one it is about count as not processed.
    public var unprocessed: Int
    /// The debug data of each frame; there are as many frames.
    public var debugData: [[UInt8]]
    /// Whether the connection is closed afterwards. If not, it stays open, and new streams are refused.
    public var closes: Bool

    public init(code: HTTP2ErrorCode, lastStream: Int32?, unprocessed: Int, debugData: [[UInt8]], closes: Bool) {
        self.code = code
        self.lastStream = lastStream
        self.unprocessed = unprocessed
        self.debugData = debugData
        self.closes = closes
    }

    /// The last-stream-id in the frames.
    func last(about stream: Int32) -> Int32 {
        lastStream ?? max(0, stream - 2 * Int32(clamping: min(unprocessed, 1 << 20)))
    }

    /// The frames' bytes, one after the other.
    func frames(about stream: Int32) -> [UInt8] {
        let last = last(about: stream)
        return debugData.flatMap { HTTP2Session.goAwayFrame(code.rawValue, lastStream: last, debugData: $0) }
    }
}

/// How a connection ends without a word.
public enum ConnectionEnd: Sendable, Hashable {
    /// A TCP reset.
    case reset
    /// An end of the stream, once what is queued has left.
    case close
    /// It stays open; nothing is read or written any more.
    case silence
}
