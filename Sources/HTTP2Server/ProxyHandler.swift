internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import TLSEngine

/// A CONNECT proxy that leads nowhere but here: Apple's host names end at this gateway, every other target is refused.
final class ProxyHandler: FirstHandler {
    typealias OutboundOut = ByteBuffer

    private let server: ServerCore
    private let loop: EventLoopState
    private var context: ChannelHandlerContext?
    private var received = ByteBuffer()
    private let since: Int64
    /// What becomes of the client's TLS; `nil` serves it.
    private let tlsFault: AcceptFault?

    init(server: ServerCore, loop: EventLoopState, tlsFault: AcceptFault? = nil) {
        self.server = server
        self.loop = loop
        self.tlsFault = tlsFault
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
        received.writeImmutableBuffer(unwrapInboundIn(data))
        switch ConnectRequest.parse(received.readableBytesView) {
        case .incomplete:
            break
        case .malformed(let why):
            refuse(context, status: "400 Bad Request", why)
        case .complete(let request, let byteCount):
            received.moveReaderIndex(forwardBy: byteCount)
            answer(request, context)
        }
    }

    private func answer(_ request: ConnectRequest, _ context: ChannelHandlerContext) {
        guard request.method == "CONNECT" else {
            return refuse(
                context, status: "405 Method Not Allowed",
                "This is a CONNECT proxy. Speak HTTP/2 to the provider port, or set this address as the HTTPS proxy.")
        }
        guard server.configuration.proxyTargets.contains(request.host),
            server.configuration.proxyPorts.contains(request.port)
        else {
            let hosts = server.configuration.proxyTargets.sorted().joined(separator: ", ")
            server.logger.warning(
                "CONNECT refused: the proxy ends only APNs' names here", metadata: ["target": "\(request.target)"])
            return refuse(
                context, status: "403 Forbidden",
                "Pushcote connects nowhere. Targets it answers for: \(hosts); ports "
                    + server.configuration.proxyPorts.sorted().map(String.init).joined(separator: ", ") + ".")
        }
        do {
            let handler = try nextHandler(request)
            write(context, "HTTP/1.1 200 Connection established\r\n\r\n")
            try handOver(to: [handler], received, context)
        } catch {
            context.close(promise: nil)
        }
    }

    private func nextHandler(_ request: ConnectRequest) throws -> any ChannelHandler {
        let (server, loop) = (server, loop)
        let serve = { try server.makeTLSHandler(traffic: .proxy, connectTarget: request.host, loop: loop) }
        guard let tlsFault else { return try serve() }
        return AcceptFaultHandler(
            tlsFault, server: server, traffic: .proxy, connectTarget: request.host, loop: loop, next: serve)
    }

    private func refuse(_ context: ChannelHandlerContext, status: String, _ why: String) {
        let body = why + "\n"
        write(
            context,
            "HTTP/1.1 \(status)\r\ncontent-type: text/plain\r\ncontent-length: \(body.utf8.count)\r\n"
                + "connection: close\r\n\r\n" + body)
        context.close(promise: nil)
    }

    private func write(_ context: ChannelHandlerContext, _ text: String) {
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: text)), promise: nil)
    }
}

extension ProxyHandler: StoppableConnection {
    func stop() { close() }
    func close() { context?.close(promise: nil) }

    func look(at now: Int64) {
        guard now - since >= server.timeouts.handshake else { return }
        server.attacks.add(.slowHandshake)
        close()
    }
}
