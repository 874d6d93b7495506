internal import NIOCore

/// Tells an HTTP/1.1 connection that bytes came: a head that drips in is not seen behind the decoder until it is whole.
final class HTTP1ByteNote: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let handler: HTTP1Handler

    init(handler: HTTP1Handler) { self.handler = handler }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        handler.noteBytes()
        context.fireChannelRead(data)
    }
}
