internal import NIOCore

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
