internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import Wire

/// Installs HTTP/2 or HTTP/1.1 according to the first bytes of a clear-text connection.
final class ClearTextSniffer: FirstHandler {

    /// Enough of `PRI * HTTP/2.0` to exclude every HTTP/1.1 method.
    private static let preface = Array("PRI ".utf8)

    private let server: ServerCore
    private let loop: EventLoopState
    private var context: ChannelHandlerContext?
    private var first = ByteBuffer()
    private let since: Int64

    init(server: ServerCore, loop: EventLoopState) {
        self.server = server
        self.loop = loop
        since = loop.now
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.insert(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        loop.remove(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        first.writeImmutableBuffer(unwrapInboundIn(data))
        let start = first.readableBytesView.prefix(Self.preface.count)
        let greeting = Greeting(first.readableBytesView.prefix(PrefaceRefusal.shownByteCount))
        if greeting == .tls { return refuseTLS(context) }
        guard Self.preface.starts(with: start) else {
            // The HTTP/1.1 decoder answers 400.
            if greeting == .other { server.note(.nonsense, of: context, firstBytes: Array(first.readableBytesView)) }
            return install(context, http1Handlers())
        }
        guard start.count == Self.preface.count else { return }
        let handler = ConnectionHandler(
            server: server, transport: .clearText, traffic: .clearText, connectTarget: nil, loop: loop)
        install(context, [handler])
    }

    private func refuseTLS(_ context: ChannelHandlerContext) {
        server.note(.tlsOnClearTextPort, of: context)
        close()
    }

    private func http1Handlers() -> [any ChannelHandler] {
        let handler = HTTP1Handler(server: server, loop: loop)
        return [
            HTTP1ByteNote(handler: handler), HTTPResponseEncoder(),
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)),
            HTTPServerPipelineHandler(), HTTPServerProtocolErrorHandler(), handler,
        ]
    }

    private func install(_ context: ChannelHandlerContext, _ handlers: [any ChannelHandler]) {
        do {
            try handOver(to: handlers, first, context)
        } catch {
            context.close(promise: nil)
        }
    }
}

extension ClearTextSniffer: StoppableConnection {
    /// No request is open yet.
    func stop() { close() }
    func close() { context?.close(promise: nil) }

    func look(at now: Int64) {
        guard now - since >= server.timeouts.preface else { return }
        server.attacks.add(.slowPreface)
        close()
    }
}
