internal import NIOCore
internal import NIOHTTP1

/// Adds `Connection: close` to every request after which the client expects the connection to end, because it is the only
/// sign that Hummingbird knows: HTTP/1.0 needs none (RFC 9112 §9.3), and others may spell it differently.
final class ClosingClients: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// Hummingbird's own handlers follow the decoder and drop the version, so this one goes between them.
    static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self).handler
        try pipeline.addHandler(ClosingClients(), position: .after(decoder))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), !head.isKeepAlive else {
            return context.fireChannelRead(data)
        }
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
