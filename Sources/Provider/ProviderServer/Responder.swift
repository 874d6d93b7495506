package import HTTP2Engine
internal import NIOCore
package import RequestWire

/// Answers one request, at once or later, on the connection's event loop.
package struct Responder {
    let sink: any ResponseSink
    /// 0 for none.
    package let stream: Int32

    /// - Returns: False when the stream is gone and the response was dropped.
    @discardableResult
    package func respond(_ response: Response) -> Bool { sink.respond(to: stream, with: response) }

    /// Batches responses. Returns whether this call started the batch; only then call `flushHeld()`.
    package func hold() -> Bool { sink.hold() }

    package func flushHeld() { sink.flushHeld() }

    /// Announces a new limit of concurrent streams. HTTP/1.1 ignores it.
    package func setStreamLimit(_ limit: UInt32) { sink.setStreamLimit(limit) }
}

protocol ResponseSink: AnyObject {
    @discardableResult
    func respond(to stream: Int32, with response: Response) -> Bool
    func setStreamLimit(_ limit: UInt32)

    func hold() -> Bool
    func flushHeld()

    var isConnected: Bool { get }
    func isOpen(_ stream: Int32) -> Bool

    // The rest serves faults only.
    var context: ChannelHandlerContext? { get }
    var faults: ConnectionFaults { get }
    func abandon(_ stream: Int32)
    func disown(_ stream: Int32)
    func resetAgain(_ stream: Int32, _ code: HTTP2ErrorCode)
    func setInitialWindow(_ byteCount: UInt32)
    func starve(_ scope: WindowScope)
    func reset(_ stream: Int32, _ code: HTTP2ErrorCode)
    func trickle(_ stream: Int32, every pause: Duration, then end: @escaping () -> Void)
    func send(_ notice: GoAwayNotice, about stream: Int32)
    func end(_ end: ConnectionEnd)
}

extension ResponseSink {
    // HTTP/1.1 handles one request at a time.
    func hold() -> Bool { false }
    func flushHeld() {}

    func schedule(after delay: Duration, _ body: @escaping () -> Void) {
        if let context { faults.schedule(after: delay, on: context.eventLoop, body) }
    }
}

extension Responder {
    package var isOpen: Bool { sink.isOpen(stream) }
    package var isConnected: Bool { sink.isConnected }

    /// Excludes the request from those that a GOAWAY counts as processed. Call it from `received(_:_:)` only.
    package func disown() { sink.disown(stream) }

    package func resetAgain(_ code: HTTP2ErrorCode) { sink.resetAgain(stream, code) }

    /// Announces how many body bytes a stream may send before a window update; 0 blocks bodies.
    package func setInitialWindow(_ byteCount: UInt32) { sink.setInitialWindow(byteCount) }

    /// Sends no WINDOW_UPDATE from now on. HTTP/1.1 ignores it.
    package func starve(_ scope: WindowScope) { sink.starve(scope) }

    /// Never answers; the stream stays open, and a graceful shutdown does not wait for it.
    package func abandon() { sink.abandon(stream) }

    package func reset(_ code: HTTP2ErrorCode) { sink.reset(stream, code) }

    /// Sends the body, or an end without one, byte by byte; calls `end` once nothing is left to send.
    package func respond(_ response: Response, every pause: Duration, then end: @escaping () -> Void) {
        var response = response
        response.isPaced = true
        response.frameByteCount = 1
        sink.respond(to: stream, with: response)
        sink.trickle(stream, every: pause, then: end)
    }

    package func send(_ notice: GoAwayNotice) { sink.send(notice, about: stream) }

    package func end(_ end: ConnectionEnd) { sink.end(end) }

    /// Runs on the connection's event loop; does nothing if the connection has closed by then.
    package func schedule(after delay: Duration, _ body: @escaping () -> Void) { sink.schedule(after: delay, body) }
}

/// A GOAWAY that a fault requests.
package struct GoAwayNotice: Sendable, Hashable {
    package var code: HTTP2ErrorCode
    /// nil for the highest processed stream; raised to that one if lower.
    package var lastStream: Int32?
    /// How many streams, up to and including the current one, count as not processed.
    package var unprocessed: Int
    /// The debug data of each frame; one frame per element.
    package var debugData: [[UInt8]]
    /// Closes the connection afterwards; otherwise it stays open and refuses new streams.
    package var closes: Bool
    /// Sends 2³¹ - 1 first, and the last stream once the client has seen that (RFC 9113 §6.8).
    package var isGraceful = false
    /// Sends after this long without requests; nil sends at once.
    package var idle: Duration?

    package init(code: HTTP2ErrorCode, lastStream: Int32?, unprocessed: Int, debugData: [[UInt8]], closes: Bool) {
        self.code = code
        self.lastStream = lastStream
        self.unprocessed = unprocessed
        self.debugData = debugData
        self.closes = closes
    }

    /// Whether the current request counts as not processed.
    var excludesRequest: Bool { lastStream != nil || unprocessed > 0 }

    /// - Parameter processed: The highest processed stream; clients may retry streams above the last one.
    func last(about stream: Int32, processed: Int32) -> Int32 {
        if let lastStream { return max(lastStream, processed) }
        guard unprocessed > 0 else { return processed }
        return max(processed, stream - 2 * Int32(clamping: min(unprocessed, 1 << 20)))
    }
}
