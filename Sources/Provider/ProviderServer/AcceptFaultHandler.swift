internal import Glibc
internal import NIOCore
package import RequestWire

/// Delays or refuses a new connection because of a fault.
final class AcceptFaultHandler: FirstHandler, ServingHandler {
    /// A fatal handshake_failure alert (RFC 8446 §6) in a TLS 1.2 record, which every client can read.
    private static let alert: [UInt8] = [21, 3, 3, 0, 2, 2, 40]

    private let fault: AcceptFault
    private let server: ProviderServer
    private let description: ConnectionDescription
    let loop: EventLoopState
    private let makeNext: () throws -> any ChannelHandler
    var context: ChannelHandlerContext?
    var delegate: (any ConnectionDelegate)?
    var ending: ConnectionOutcome?
    private var held = ByteBuffer()
    /// Reading pauses at this many bytes; no handshake starts with more.
    private static let heldByteCount = 65_536

    private enum State { case waiting(Scheduled<Void>), turnedAway, silent }
    private var state = State.silent

    /// - Parameter next: Makes the handler that serves the client unless the fault refuses it.
    init(
        _ fault: AcceptFault, server: ProviderServer, description: ConnectionDescription, loop: EventLoopState,
        next: @escaping () throws -> any ChannelHandler
    ) {
        self.fault = fault
        self.server = server
        self.description = description
        self.loop = loop
        makeNext = next
    }

    func handlerAdded(context: ChannelHandlerContext) {
        attach(to: context)
        state = .waiting(
            context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(fault.delay)) { self.proceed() })
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if case .waiting(let timer) = state { timer.cancel() }
        detach()
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
        if fault.refusal != nil { delegate = server.makeDelegate(description) }
        switch fault.refusal {
        case nil:
            handOver(held, context) { [try makeNext()] }
            context.channel.setOption(.autoRead, value: true).whenFailure { _ in }
        case .alert:
            state = .turnedAway
            if held.readableBytes > 0 { sendAlert(context) }
        case .end(.reset):
            ending = .reset
            context.channel.resetTCP()
        case .end(.close):
            (ending, state) = (.close, .silent)
            context.closeHalf()
        case .end(.silence): state = .silent
        }
    }

    private func sendAlert(_ context: ChannelHandlerContext) {
        (ending, state) = (.alert, .silent)
        context.send(Self.alert)
        context.closeHalf()
    }

    func close() {
        ending = ending ?? .gateway
        context?.close(promise: nil)
    }

    /// The tester chooses how long a fault lasts.
    func checkTimeouts(at now: Int64) {}
}

extension Channel {
    /// Closes with a reset: discards pending output (SO_LINGER with 0 seconds).
    func resetTCP() {
        guard let socket = self as? any SocketOptionProvider else { return close(promise: nil) }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in self.close(promise: nil) }
    }
}

/// A fault that affects a new connection.
package struct AcceptFault: Sendable, Hashable {
    package var rule: String
    /// How long the client's first bytes are held back.
    package var delay: Duration
    /// nil serves the client after the delay.
    package var refusal: Refusal?

    package enum Refusal: Sendable, Hashable {
        case end(ConnectionEnd)
        /// Answers the first bytes with a TLS alert.
        case alert
    }

    package init(rule: String, delay: Duration, refusal: Refusal?) {
        self.rule = rule
        self.delay = delay
        self.refusal = refusal
    }
}
