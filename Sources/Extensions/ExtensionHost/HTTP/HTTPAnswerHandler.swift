internal import NIOCore
internal import NIOHTTP1

/// Makes lines of an answer, or one document of it when it says that it is `application/json`.
///
/// - Note: Confined to the host's event loop.
final class HTTPAnswerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let exchange: HTTPExchange
    private let part: HTTPExchange.Part
    private var lines: LineSplitter
    private var status = 0
    private var byteCount = 0
    private var isWhole = false
    private var isComplete = false

    init(_ exchange: HTTPExchange, _ part: HTTPExchange.Part) {
        self.exchange = exchange
        self.part = part
        lines = LineSplitter(maximumByteCount: exchange.maximumByteCount)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = Int(head.status.code)
            let type = head.headers.first(name: "content-type")?.lowercased() ?? ""
            isWhole = type.hasPrefix("application/json")
            // 100 and its like announce another answer.
            if status >= 200, status != 200, status != 204 { exchange.receive(status: status) }
        case .body(var bytes): receive(&bytes)
        case .end:
            guard status >= 200 else { return }
            isComplete = true
            if let line = lines.remainder() { exchange.receive(line) }
            exchange.hasAnswered(part)
            context.close(promise: nil)
        }
    }

    private func receive(_ bytes: inout ByteBuffer) {
        byteCount += bytes.readableBytes
        guard byteCount <= exchange.maximumByteCount else {
            exchange.breaksProtocol(
                "the answer is longer than \(exchange.maximumByteCount) bytes: pass pictures as URLs of files"
            )
            return
        }
        lines.append(&bytes)
        if isWhole { return }
        // A line is never longer than the body.
        while let line = try? lines.next() { exchange.receive(line) }
    }

    func channelReadComplete(context: ChannelHandlerContext) { exchange.receiveComplete() }

    func channelInactive(context: ChannelHandlerContext) {
        if !isComplete { exchange.hasBroken(part) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The end in the middle of an answer is told as an error first.
        if error as? HTTPParserError == .invalidEOFState {
            exchange.hasBroken(part)
        } else if error is HTTPParserError || error is NIOHTTPDecoderError {
            exchange.breaksProtocol("the server does not speak HTTP/1.1")
        }
        context.close(promise: nil)
    }
}
