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

/// Inspects or delays a connection's first bytes, then hands over to other handlers.
protocol FirstHandler: ClientHandler, RemovableChannelHandler where InboundIn == ByteBuffer {}

extension FirstHandler {
    func handlerAdded(context: ChannelHandlerContext) { attach(to: context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        loop.remove(self)
    }

    /// No request is open yet.
    func stop() { close() }

    func close() { context?.close(promise: nil) }

    /// Adds handlers after this one, forwards the received bytes, and removes this handler.
    func handOver(
        _ bytes: ByteBuffer, _ context: ChannelHandlerContext, to makeHandlers: () throws -> [any ChannelHandler]
    ) {
        do {
            try context.pipeline.syncOperations.addHandlers(try makeHandlers(), position: .after(self))
            if bytes.readableBytes > 0 {
                context.fireChannelRead(NIOAny(bytes))
                context.fireChannelReadComplete()
            }
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }
}
