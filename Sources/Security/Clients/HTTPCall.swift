package import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A request to an HTTP/1.1 server on its own connection.
package struct HTTPCall: Sendable {
    /// Without brackets.
    package var host: String
    package var port: Int
    /// The `Host` header.
    package var authority: String
    package var method: String
    /// Path and query, escaped.
    package var target: String
    /// All except `host`, `connection` and `content-length`.
    package var headers: [(name: String, value: String)]
    package var body: ByteBuffer
    package var connectTimeout: Duration
    /// Makes the handler that encrypts the connection; nil for clear text. Its errors are shown as reasons.
    package var encryption: (@Sendable () -> any ChannelHandler)?

    package init(
        host: String, port: Int, authority: String, method: String, target: String,
        headers: [(name: String, value: String)], body: ByteBuffer, connectTimeout: Duration
    ) {
        (self.host, self.port, self.authority) = (host, port, authority)
        (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
        self.connectTimeout = connectTimeout
    }

    /// Call on the event loop.
    package func start(on loop: any EventLoop, _ receiver: any HTTPReceiver) {
        let bound = NIOLoopBound(receiver, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(connectTimeout))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let encryption { try channel.pipeline.syncOperations.addHandler(encryption()) }
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(AnswerHandler(bound.value))
                }
            }
            .connect(host: host, port: port)
            .whenComplete { result in
                switch result {
                case .success(let channel):
                    bound.value.connected(channel)
                    write(to: channel)
                case .failure(let error): bound.value.failed(HTTPProblem(connecting: error))
                }
            }
    }

    private func write(to channel: any Channel) {
        var headers = HTTPHeaders([("host", authority)] + headers)
        if body.readableBytes > 0 || method != "GET" {
            headers.add(name: "content-length", value: String(body.readableBytes))
        }
        headers.add(name: "connection", value: "close")
        let head = HTTPRequestHead(version: .http1_1, method: .init(rawValue: method), uri: target, headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }
}

/// Receives a call's events on its event loop. `ended` and `failed` are final, except for `receiveComplete`.
package protocol HTTPReceiver: AnyObject {
    func connected(_ channel: any Channel)
    func receive(status: Int, contentType: String)
    func receive(_ bytes: inout ByteBuffer)
    /// All received bytes were delivered.
    func receiveComplete()
    func ended()
    func failed(_ problem: HTTPProblem)
}

package enum HTTPProblem: Error, Hashable, Sendable {
    case connectTimeout
    case unreachable(String)
    /// The connection ended before the answer.
    case closed
    case notHTTP
    case spokeFirst
    case tooLong
    case answerTimeout

    fileprivate init(connecting error: any Error) {
        switch error {
        case let error as NIOConnectionError:
            self =
                error.connectionErrors.first.map { HTTPProblem(connecting: $0.error) }
                ?? .unreachable("unknown host \(error.host)")
        case ChannelError.connectTimeout: self = .connectTimeout
        case let error as IOError where error.errnoCode == ECONNREFUSED: self = .unreachable("connection refused")
        default: self = .unreachable("\(error)")
        }
    }
}

private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let receiver: any HTTPReceiver
    private var status = 0
    private var isOver = false

    init(_ receiver: any HTTPReceiver) { self.receiver = receiver }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isOver { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = Int(head.status.code)
            // An informational status (1xx) precedes the final answer.
            guard status >= 200 else { return }
            receiver.receive(status: status, contentType: head.headers.first(name: "content-type") ?? "")
        case .body(var bytes): receiver.receive(&bytes)
        case .end:
            guard status >= 200 else { return }
            isOver = true
            receiver.ended()
            context.close(promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { receiver.receiveComplete() }

    func channelInactive(context: ChannelHandlerContext) { fail(.closed) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIO reports an answer cut short as an error first, and a reset when the channel ends.
        if error is NIOHTTPDecoderError {
            fail(.spokeFirst)
        } else if let error = error as? HTTPParserError, error != .invalidEOFState {
            fail(.notHTTP)
        } else if !(error is HTTPParserError || error is ChannelError || error is IOError) {
            fail(.unreachable("\(error)"))
        }
        context.close(promise: nil)
    }

    private func fail(_ problem: HTTPProblem) {
        if isOver { return }
        isOver = true
        receiver.failed(problem)
    }
}
