import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import TestSupport

/// An HTTP server that records bodies and sends configured answers.
final class Receiver: Sendable {
    enum Habit: String, CaseIterable, Sendable {
        case answers, silent, endless, closes, absent

        /// What a webhook reports.
        var error: String? {
            switch self {
            // The status of an endless answer is enough.
            case .answers, .endless: nil
            case .silent: "no complete answer within the timeout"
            case .closes: "the connection ended before the answer"
            case .absent: "no connection: connection refused"
            }
        }
    }

    private struct State {
        var statuses: [UInt]
        var bodies: [String] = []
        var sentByteCount = 0
    }

    private let state: Mutex<State>
    private let waits = Waits()
    private let habit: Habit
    private let boundPort = Mutex(0)

    var port: Int { boundPort.withLock { $0 } }

    private init(_ statuses: [UInt], _ habit: Habit) {
        state = Mutex(State(statuses: statuses))
        self.habit = habit
    }

    var sentByteCount: Int { state.withLock { $0.sentByteCount } }

    /// The bodies, once there are so many.
    func bodies(_ count: Int) async -> [String] {
        await waits.wait { [self] in state.withLock { $0.bodies.count >= count } }
        return state.withLock { $0.bodies }
    }

    /// - Parameter statuses: one per request, then 200.
    static func with(
        statuses: [UInt] = [], habit: Habit = .answers, _ body: (Receiver) async throws -> Void
    ) async throws {
        let receiver = Receiver(statuses, habit)
        if habit == .absent { return try await receiver.keepingPort(body) }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(receiver))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        receiver.boundPort.withLock { $0 = channel.localAddress?.port ?? 0 }
        try await body(receiver)
        try await channel.close()
    }

    /// Reserves a port without listening on it, so that connections are refused and no other test can bind it.
    private func keepingPort(_ body: (Receiver) async throws -> Void) async throws {
        let holder = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(holder) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { bytes in
            let name = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!
            _ = (bind(holder, name, length), getsockname(holder, name, &length))
        }
        boundPort.withLock { $0 = Int(UInt16(bigEndian: address.sin_port)) }
        try await body(self)
    }

    private func receive(_ body: String) -> UInt {
        let status = state.withLock { state in
            state.bodies.append(body)
            return state.statuses.isEmpty ? 200 : state.statuses.removeFirst()
        }
        waits.check()
        return status
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private static let chunk = ByteBuffer(repeating: 0x78, count: 65_536)
        private let receiver: Receiver
        private var body = ""
        private var left = 1 << 30

        init(_ receiver: Receiver) { self.receiver = receiver }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: break
            case .body(let bytes): body += String(buffer: bytes)
            case .end: answer(context, receiver.receive(body))
            }
        }

        private func answer(_ context: ChannelHandlerContext, _ status: UInt) {
            switch receiver.habit {
            case .silent, .absent: return
            case .closes: context.close(promise: nil)
            case .answers, .endless:
                let isEndless = receiver.habit == .endless
                let head = HTTPResponseHead(
                    version: .http1_1, status: .init(statusCode: Int(status)),
                    headers: ["content-length": isEndless ? "\(1 << 30)" : "0", "location": "/elsewhere"])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                if isEndless { return write(context) }
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }

        /// Reads only what the socket delivers.
        private func write(_ context: ChannelHandlerContext) {
            context.flush()
            while context.channel.isActive, context.channel.isWritable, left > 0 {
                left -= Self.chunk.readableBytes
                receiver.state.withLock { $0.sentByteCount += Self.chunk.readableBytes }
                context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(Self.chunk))), promise: nil)
            }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if receiver.habit == .endless { write(context) }
        }
    }
}
