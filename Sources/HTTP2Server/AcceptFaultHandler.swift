internal import NIOCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Stands before a connection that a fault delays or turns away.
final class AcceptFaultHandler: FirstHandler {
    typealias OutboundOut = ByteBuffer

    /// TLS alert handshake_failure, fatal (RFC 8446 §6), in a record of TLS 1.2 as every client reads it.
    private static let alert: [UInt8] = [21, 3, 3, 0, 2, 2, 40]

    private let fault: AcceptFault
    private let loop: EventLoopState
    private let makeNext: () throws -> any ChannelHandler
    private var context: ChannelHandlerContext?
    private var held = ByteBuffer()
    /// From so many bytes on nothing more is read from a client that is not served yet; more than any handshake begins with.
    private static let heldByteCount = 65_536

    private enum State { case waiting(Scheduled<Void>), turnedAway, silent }
    private var state = State.silent

    init(_ fault: AcceptFault, loop: EventLoopState, next: @escaping () throws -> any ChannelHandler) {
        self.fault = fault
        self.loop = loop
        makeNext = next
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        loop.insert(self)
        state = .waiting(
            context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(fault.delay)) { self.proceed() })
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if case .waiting(let timer) = state { timer.cancel() }
        self.context = nil
        loop.remove(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .waiting:
            held.writeImmutableBuffer(unwrapInboundIn(data))
            guard held.readableBytes >= Self.heldByteCount else { return }
            context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
        case .silent: break
        case .turnedAway: sendAlert(context)
        }
    }

    private func proceed() {
        guard let context else { return }
        switch fault.refusal {
        case nil: serve(context)
        case .alert:
            state = .turnedAway
            if held.readableBytes > 0 { sendAlert(context) }
        case .end(.reset): context.channel.resetTCP()
        case .end(.close): context.close(promise: nil)
        case .end(.silence): state = .silent
        }
    }

    private func serve(_ context: ChannelHandlerContext) {
        do {
            try handOver(to: [try makeNext()], held, context)
            context.channel.setOption(.autoRead, value: true).whenFailure { _ in }
        } catch {
            context.close(promise: nil)
        }
    }

    private func sendAlert(_ context: ChannelHandlerContext) {
        state = .silent
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: Self.alert)), promise: nil)
        context.close(mode: .output, promise: nil)
    }
}

extension AcceptFaultHandler: StoppableConnection {
    /// Nothing was asked yet, so there is nothing to finish.
    func stop() { close() }
    func close() { context?.close(promise: nil) }
    /// A fault lasts as long as its tester wants.
    func look(at now: Int64) {}
}

extension Channel {
    /// Closes so that the peer sees a reset: what lingers is thrown away (SO_LINGER with 0 seconds).
    func resetTCP() {
        guard let socket = self as? any SocketOptionProvider else { return close(promise: nil) }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in self.close(promise: nil) }
    }
}
