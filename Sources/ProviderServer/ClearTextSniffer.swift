internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Installs HTTP/2 or HTTP/1.1 according to the first bytes of a clear-text connection.
final class ClearTextSniffer: FirstHandler {
    /// Enough of `PRI * HTTP/2.0` to exclude every HTTP/1.1 method.
    private static let preface = Array("PRI ".utf8)

    private let server: ProviderServer
    private let description: ConnectionDescription
    let loop: EventLoopState
    var context: ChannelHandlerContext?
    private var first = ByteBuffer()
    private let since: Int64

    init(server: ProviderServer, description: ConnectionDescription, loop: EventLoopState) {
        self.server = server
        self.description = description
        self.loop = loop
        since = loop.now
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        first.writeImmutableBuffer(unwrapInboundIn(data))
        let start = first.readableBytesView.prefix(Self.preface.count)
        let greeting = Greeting(first.readableBytesView.prefix(PrefaceRefusal.shownByteCount))
        if greeting == .tls {
            server.log(.tlsOnClearTextPort, of: context)
            return close()
        }
        guard Self.preface.starts(with: start) else {
            // The HTTP/1.1 decoder answers 400.
            if greeting == .other { server.log(.nonsense, of: context, firstBytes: Array(first.readableBytesView)) }
            return handOver(first, context, to: makeHTTP1Handlers)
        }
        guard start.count == Self.preface.count else { return }
        handOver(first, context) {
            [ConnectionHandler(server: server, transport: .clearText, description: description, loop: loop)]
        }
    }

    private func makeHTTP1Handlers() -> [any ChannelHandler] {
        let handler = HTTP1Handler(server: server, description: description, loop: loop)
        return [
            HTTP1ByteObserver(handler: handler), HTTPResponseEncoder(),
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)),
            HTTPServerPipelineHandler(), HTTPServerProtocolErrorHandler(), handler,
        ]
    }

    func checkTimeouts(at now: Int64) {
        guard now - since >= server.timeouts.preface else { return }
        server.attacks.add(.slowPreface)
        close()
    }
}
