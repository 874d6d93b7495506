internal import NIOCore

/// A handler of one client's bytes, which its event loop stops and polls for timeouts.
protocol ClientHandler: ChannelInboundHandler {
    var loop: EventLoopState { get }
    /// nil after the connection has closed, or when other handlers have taken over.
    var context: ChannelHandlerContext? { get set }
    /// Shuts down gracefully.
    func stop()
    func close()
    /// - Parameter now: Milliseconds.
    func checkTimeouts(at now: Int64)
}

extension ClientHandler {
    func attach(to context: ChannelHandlerContext) {
        self.context = context
        loop.insert(self)
    }
}

/// A handler that tells a delegate how the connection ended.
protocol ServingHandler: ClientHandler {
    var delegate: (any ConnectionDelegate)? { get set }
    /// nil until this side ends the connection; by then, the client has.
    var ending: ConnectionOutcome? { get set }
}

extension ServingHandler {
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let eviction = event as? Eviction { ending = .limit(eviction.limit) }
        context.fireUserInboundEventTriggered(event)
    }

    func detach() {
        context = nil
        delegate?.ended(ending ?? .client)
        delegate?.closed()
        delegate = nil
        loop.remove(self)
    }
}
