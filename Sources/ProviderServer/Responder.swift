package import HTTP2Engine
internal import NIOCore

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
    var faults: ConnectionFaults { get set }
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
