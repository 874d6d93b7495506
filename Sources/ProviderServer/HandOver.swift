internal import NIOCore

/// A handler that looks at the first bytes of a connection, or lets it wait, and leaves the rest to others.
protocol FirstHandler: ChannelInboundHandler, RemovableChannelHandler where InboundIn == ByteBuffer {}

extension FirstHandler {
    /// Puts handlers behind this one, gives them what has come so far, and goes.
    func handOver(to handlers: [any ChannelHandler], _ bytes: ByteBuffer, _ context: ChannelHandlerContext) throws {
        try context.pipeline.syncOperations.addHandlers(handlers, position: .after(self))
        if bytes.readableBytes > 0 {
            context.fireChannelRead(NIOAny(bytes))
            context.fireChannelReadComplete()
        }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}
