internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection whose client sends or reads too slowly. Hummingbird's timeout is reset by a single byte.
final class ClientDeadlines: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let request: TimeAmount
    private let send: TimeAmount
    private var requestTimer: Scheduled<Void>?
    private var sendTimer: Scheduled<Void>?

    /// - Parameter request: From a request's head to its end.
    init(request: Duration, send: Duration) {
        self.request = TimeAmount(request)
        self.send = TimeAmount(send)
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

    func handlerRemoved(context: ChannelHandlerContext) {
        requestTimer.take()?.cancel()
        sendTimer.take()?.cancel()
    }

    private func close(_ channel: any Channel, in time: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}
