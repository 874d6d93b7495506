import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A server that answers each POST with given bytes.
final class RawServer: Sendable {
    /// The answer to a request.
    struct Answer: Sendable {
        var bytes: String
        var closes = true

        /// An answer with a length.
        static func ok(_ body: String, status: String = "200 OK", type: String = "application/x-ndjson") -> Answer {
            Answer(
                bytes:
                    "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }

        /// The start of a chunked answer that never ends.
        static func piece(_ line: String) -> Answer {
            let chunk = String(line.utf8.count + 1, radix: 16) + "\r\n" + line + "\n\r\n"
            return Answer(bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk, closes: false)
        }

        static let nothing = Answer(bytes: "", closes: false)
    }

    private let channel: any Channel
    private let heard: Heard

    private final class Heard: Sendable { let requests = Mutex<[String]>([]) }

    /// The requests so far, heads and bodies.
    var requests: [String] { heard.requests.withLock { $0 } }

    var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/extension?app=chat" }

    /// - Parameter answer: from the request's head and body.
    init(_ answer: @escaping @Sendable (String) -> Answer) async throws {
        let heard = Heard()
        self.heard = heard
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Handler { request in
                            heard.requests.withLock { $0.append(request) }
                            return answer(request)
                        })
                }
            }.bind(host: "127.0.0.1", port: 0).get()
    }

    func close() async throws { try await channel.close() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let answer: (String) -> Answer
        private var request = ""

        init(_ answer: @escaping (String) -> Answer) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            request += String(buffer: unwrapInboundIn(data))
            // The body is one line.
            guard request.hasSuffix("}\n") else { return }
            let answer = answer(request)
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer.bytes)), promise: nil)
            if answer.closes { context.close(promise: nil) }
        }
    }
}
