package import Logging
package import NIOCore
package import TLSEngine

extension ProviderServer {
    /// What stands at the socket of one connection, for tests that have no socket.
    ///
    /// - Parameter eventLoop: The loop that the handler's channel runs on.
    package static func makeHandler(
        for traffic: ListenerAddress.Traffic, configuration: ServerConfiguration, tls: TLSContext,
        on eventLoop: any EventLoop, logger: Logger,
        makeDelegate: @escaping @Sendable (ConnectionDescription) -> any ConnectionDelegate
    ) throws -> any ChannelHandler {
        let core = ServerCore(
            configuration: configuration, tls: tls, logger: logger, acceptFault: { nil }, makeDelegate: makeDelegate)
        let loop = EventLoopState(eventLoop: eventLoop, timeouts: core.timeouts)
        return try makeHandler(for: traffic, core: core, loop: loop)
    }
}
