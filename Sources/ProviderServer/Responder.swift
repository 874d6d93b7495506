package import HTTP2Engine
internal import NIOCore
package import Wire

/// The way back for one request. Used on the connection's event loop, at once or later.
package struct Responder {
    let sink: any ResponseSink
    /// The stream to answer on; 0 for none.
    package let stream: Int32

    /// Answers the request.
    /// - Returns: Whether the stream was still there; if not, the answer is dropped.
    @discardableResult
    package func respond(_ response: Response) -> Bool { sink.respond(to: stream, with: response) }

    /// Collects what is answered from here on, for many requests at once, until `flushHeld()`.
    ///
    /// - Returns: Whether that begins here; only then is that to be called.
    package func hold() -> Bool { sink.hold() }

    /// Sends what was collected in one piece.
    package func flushHeld() { sink.flushHeld() }

    /// Announces another limit of concurrent streams. HTTP/1.1 has none, and ignores it.
    package func setStreamLimit(_ limit: UInt32) { sink.setStreamLimit(limit) }
}

/// A connection, as a responder sees it.
protocol ResponseSink: AnyObject {
    @discardableResult
    func respond(to stream: Int32, with response: Response) -> Bool
    func setStreamLimit(_ limit: UInt32)

    func hold() -> Bool
    func flushHeld()

    var isConnected: Bool { get }
    func isOpen(_ stream: Int32) -> Bool

    // What follows is done by faults only.
    var context: ChannelHandlerContext? { get }
    var faults: ConnectionFaults { get }
    func abandon(_ stream: Int32)
    func disown(_ stream: Int32)
    func resetAgain(_ stream: Int32, _ code: HTTP2ErrorCode)
    func setInitialWindow(_ byteCount: UInt32)
    func reset(_ stream: Int32, _ code: HTTP2ErrorCode)
    func trickle(_ stream: Int32, every pause: Duration)
    func send(_ notice: GoAwayNotice, about stream: Int32)
    func end(_ end: ConnectionEnd)
}

extension ResponseSink {
    // HTTP/1.1 has one request at a time.
    func hold() -> Bool { false }
    func flushHeld() {}

    /// Does something later, unless the connection is gone by then.
    func schedule(after delay: Duration, _ body: @escaping () -> Void) {
        guard let context else { return }
        let name = faults.nextTimer()
        let timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { [weak self] in
            guard let self, self.context != nil else { return }
            faults.forget(name)
            body()
        }
        faults.keep(timer, as: name)
    }
}

/// What a server does that misbehaves because it was asked to.
extension Responder {
    /// Whether an answer would leave.
    package var isOpen: Bool { sink.isOpen(stream) }

    /// Whether the connection takes answers at all.
    package var isConnected: Bool { sink.isConnected }

    /// The request is not processed: no GOAWAY counts it among those that were. To be said while it is handed over.
    package func disown() { sink.disown(stream) }

    /// Sends a second RST_STREAM for a stream that was reset.
    package func resetAgain(_ code: HTTP2ErrorCode) { sink.resetAgain(stream, code) }

    /// Announces how many body bytes a stream may send before it has to wait; 0 lets no body through.
    package func setInitialWindow(_ byteCount: UInt32) { sink.setInitialWindow(byteCount) }

    /// Never answers; the stream stays open, and a graceful stop does not wait for it.
    package func abandon() { sink.abandon(stream) }

    /// Ends the stream with RST_STREAM instead of an answer.
    package func reset(_ code: HTTP2ErrorCode) { sink.reset(stream, code) }

    /// Answers with a body, or an end, that leaves byte by byte.
    package func respond(_ response: Response, every pause: Duration) {
        var response = response
        response.isPaced = true
        response.frameByteCount = 1
        sink.respond(to: stream, with: response)
        sink.trickle(stream, every: pause)
    }

    /// Sends GOAWAY frames as they are told.
    package func send(_ notice: GoAwayNotice) { sink.send(notice, about: stream) }

    /// Ends the whole connection without a word.
    package func end(_ end: ConnectionEnd) { sink.end(end) }

    /// Does something later on the connection's event loop, unless the connection is gone by then.
    package func schedule(after delay: Duration, _ body: @escaping () -> Void) {
        sink.schedule(after: delay, body)
    }
}

/// A GOAWAY for no reason of the server's own.
package struct GoAwayNotice: Sendable, Hashable {
    package var code: HTTP2ErrorCode
    /// The last-stream-id; `nil` for the highest stream that was processed. Never below that one, whatever is asked for.
    package var lastStream: Int32?
    /// How many streams up to the one it is about are not processed.
    package var unprocessed: Int
    /// The debug data of each frame; there are as many frames.
    package var debugData: [[UInt8]]
    /// Whether the connection is closed afterwards. If not, it stays open, and new streams are refused.
    package var closes: Bool
    /// Whether it is sent in two steps: 2³¹ - 1 first, and the last stream once the client has seen that (RFC 9113 §6.8).
    package var isGraceful = false
    /// How long the connection has had no requests when it is sent; `nil` sends it at once.
    package var idle: Duration?

    package init(code: HTTP2ErrorCode, lastStream: Int32?, unprocessed: Int, debugData: [[UInt8]], closes: Bool) {
        self.code = code
        self.lastStream = lastStream
        self.unprocessed = unprocessed
        self.debugData = debugData
        self.closes = closes
    }

    /// Whether the request that it is about is not processed.
    var leavesOut: Bool { lastStream != nil || unprocessed > 0 }

    /// The last-stream-id in the frames.
    /// - Parameter processed: The highest stream that was processed: a client may repeat what lies above the last stream.
    func last(about stream: Int32, processed: Int32) -> Int32 {
        if let lastStream { return max(lastStream, processed) }
        guard unprocessed > 0 else { return processed }
        return max(processed, stream - 2 * Int32(clamping: min(unprocessed, 1 << 20)))
    }
}
