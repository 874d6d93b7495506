internal import HTTP2Engine
internal import NIOCore

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Lets a listener rest when the system has no descriptor for another connection; it would ask again at once, for ever.
///
/// NIO's `AcceptBackoffHandler` does not do: after a failed accept the socket stays registered, and stays readable.
final class AcceptRest: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// Long enough to cost nothing, short enough not to be noticed by whoever waits.
    private static let rest = TimeAmount.milliseconds(100)

    private let attacks: AttackCounters

    init(attacks: AttackCounters) { self.attacks = attacks }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        attacks.add(.descriptors)
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenFailure { _ in }
        context.eventLoop.scheduleTask(in: Self.rest) {
            channel.setOption(.autoRead, value: true).whenFailure { _ in }
        }
    }
}
