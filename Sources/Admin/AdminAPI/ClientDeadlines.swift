internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes

/// Closes a connection whose client sends or reads too slowly. Hummingbird's timeout is reset by a single byte.
/// During shutdown, a client that does not read is closed sooner, so that it does not delay the exit.
final class ClientDeadlines: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let request: TimeAmount
    private var send: TimeAmount
    private var requestTimer: Scheduled<Void>?
    private var sendTimer: Scheduled<Void>?

    /// - Parameter request: From a request's head to its end.
    init(request: Duration, send: Duration) {
        self.request = TimeAmount(request)
        self.send = TimeAmount(send)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        do {
            try ClosingClients.add(to: context.pipeline.syncOperations)
        } catch {
            context.fireErrorCaught(error)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: requestTimer = requestTimer ?? close(context.channel, in: request)
        case .body: break
        case .end: requestTimer.take()?.cancel()
        }
        context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            sendTimer.take()?.cancel()
        } else {
            sendTimer = sendTimer ?? close(context.channel, in: send)
        }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            send = min(send, Self.sendDuringShutdown)
            if let timer = sendTimer {
                timer.cancel()
                sendTimer = close(context.channel, in: send)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    private static let sendDuringShutdown = TimeAmount.milliseconds(250)

    func handlerRemoved(context: ChannelHandlerContext) {
        requestTimer.take()?.cancel()
        sendTimer.take()?.cancel()
    }

    private func close(_ channel: any Channel, in time: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}

/// Ends connections where the client expects it.
///
/// Adds `Connection: close` to such requests, because it is the only sign that Hummingbird knows: HTTP/1.0 needs none
/// (RFC 9112 §9.3), and others may spell it differently. HTTP/1.0 has no chunks (§6.1): there, the end of the
/// connection ends an answer of unknown length. So it does after HEAD, for which Hummingbird says that it is empty.
final class ClosingClients: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private struct Asked {
        var version: HTTPVersion
        var isHead: Bool
    }

    /// The requests without an answer; clients may send several at once.
    private var asked: CircularBuffer<Asked> = []
    private var closesAfterAnswer = false

    /// Hummingbird's own handlers follow the decoder and drop the version, so this one goes between them.
    static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self).handler
        try pipeline.addHandler(ClosingClients(), position: .after(decoder))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        asked.append(Asked(version: head.version, isHead: head.method == .HEAD))
        guard !head.isKeepAlive else { return context.fireChannelRead(data) }
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where isEndedByConnection(head):
            // Keeps NIO's encoder from adding chunks.
            head.version = .http1_0
            head.headers.remove(name: "content-length")
            head.headers.replaceOrAdd(name: "connection", value: "close")
            closesAfterAnswer = true
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end where closesAfterAnswer:
            let end = promise ?? context.eventLoop.makePromise()
            // Reads on: closing before the client has sent all would reset the connection, and it could lose the answer.
            end.futureResult.whenComplete { [channel = context.channel] _ in
                channel.close(mode: .output, promise: nil)
            }
            context.write(data, promise: end)
        case .end:
            _ = asked.popFirst()
            context.write(data, promise: promise)
        case .head, .body: context.write(data, promise: promise)
        }
    }

    private func isEndedByConnection(_ head: HTTPResponseHead) -> Bool {
        guard head.status.code >= 200, let asked = asked.first else { return false }
        let length = head.headers.first(name: "content-length")
        return asked.isHead ? length == "0" : asked.version == .http1_0 && length == nil
    }
}
