import CLI
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP server with scripted answers that records its requests.
final class FakeGateway: Sendable {
    struct Asked: Sendable, Equatable {
        /// Method and target.
        var line: String
        var authorization: String?
        var body: String
    }

    typealias Answer = (status: Int, body: String)

    private struct State {
        var answers: [Answer]
        var asked: [Asked] = []
    }

    private let state: Mutex<State>

    private init(answers: [Answer]) { state = Mutex(State(answers: answers)) }

    /// The requests so far.
    var asked: [Asked] { state.withLock { $0.asked } }

    /// Starts a server that answers each request with the next answer.
    static func with(
        _ answers: [Answer], token: String? = nil, _ body: (FakeGateway, AdminClient) async throws -> Void
    ) async throws {
        let gateway = FakeGateway(answers: answers)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(gateway: gateway))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let address = AdminAddress(host: "127.0.0.1", port: channel.localAddress?.port ?? 0)
        try await body(gateway, AdminClient(address: address, token: token))
        try await channel.close()
    }

    private func answer(_ asked: Asked) -> Answer {
        state.withLock { state in
            state.asked.append(asked)
            return state.answers.isEmpty ? (500, "no answer is left") : state.answers.removeFirst()
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let gateway: FakeGateway
        private var asked = Asked(line: "", body: "")

        init(gateway: FakeGateway) { self.gateway = gateway }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                asked = Asked(
                    line: "\(head.method.rawValue) \(head.uri)",
                    authorization: head.headers.first(name: "authorization"),
                    body: "")
            case .body(let buffer): asked.body += String(buffer: buffer)
            case .end:
                let answer = gateway.answer(asked)
                let head = HTTPResponseHead(
                    version: .http1_1, status: .init(statusCode: answer.status),
                    headers: ["content-length": String(answer.body.utf8.count)])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
