internal import NIOCore
internal import NIOHTTP1

/// Collects one answer and hands it over; one per connection.
///
/// - Note: Confined to its event loop.
final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// A list of 1000 notifications with the largest payloads stays well below this.
    private static let maximumByteCount = 256 << 20

    /// How the connection ended before the answer did.
    struct Incomplete: Error {}

    private let promise: EventLoopPromise<AdminAnswer>
    private var status = 0
    private var body: [UInt8] = []
    private var isComplete = false

    init(promise: EventLoopPromise<AdminAnswer>) {
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): status = Int(head.status.code)
        case .body(let buffer):
            body.append(contentsOf: buffer.readableBytesView)
            if body.count > Self.maximumByteCount { fail(Incomplete(), context) }
        case .end:
            // 100 and its like announce another answer.
            guard status >= 200 else { return }
            isComplete = true
            promise.succeed(AdminAnswer(status: status, body: body))
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isComplete { fail(Incomplete(), context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error, context) }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        isComplete = true
        promise.fail(error)
        context.close(promise: nil)
    }
}
