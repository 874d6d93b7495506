package import Logging
package import NIOCore
package import NIOPosix
internal import Synchronization
package import TLSEngine
package import Wire

/// Runs listeners and their connections until a graceful shutdown.
package final class ProviderServer: Sendable {
    private let core: ServerCore
    private let group: MultiThreadedEventLoopGroup
    /// One per event loop, each confined to it.
    private let loops: [NIOLoopBound<EventLoopState>]
    private let listeners = Mutex<[any Channel]>([])
    /// How much one read takes before other connections get a turn: about a full TLS record, or sixty requests.
    private static let turn = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: 16384)

    /// Calls `acceptFault` and `makeDelegate` once per connection, on its event loop; without a fault, serves as usual.
    package init(
        configuration: ServerConfiguration, tls: TLSContext, group: MultiThreadedEventLoopGroup, logger: Logger,
        acceptFault: @escaping @Sendable () -> AcceptFault? = { nil },
        makeDelegate: @escaping @Sendable (ConnectionDescription) -> any ConnectionDelegate
    ) async throws {
        core = ServerCore(
            configuration: configuration, tls: tls, logger: logger, acceptFault: acceptFault,
            makeDelegate: makeDelegate)
        self.group = group
        var loops: [NIOLoopBound<EventLoopState>] = []
        for eventLoop in group.makeIterator() {
            loops.append(
                try await eventLoop.submit { [core] in
                    NIOLoopBound(
                        EventLoopState(eventLoop: eventLoop, timeouts: core.timeouts), eventLoop: eventLoop)
                }.get())
        }
        self.loops = loops
    }

    /// - Throws: The system's error when the address is in use or does not exist.
    package func listen(on address: ListenerAddress) async throws -> BoundListener {
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { [core] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptRest(attacks: core.attacks))
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: Self.turn)
            // The kernel detects dead peers.
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelInitializer { [core, loops] channel in
                channel.eventLoop.makeCompletedFuture {
                    try core.admit(channel)
                    guard let loop = loops.first(where: { $0.eventLoop === channel.eventLoop })?.value else {
                        preconditionFailure("a connection runs on an event loop of the server's group")
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        Self.makeHandler(for: address.traffic, core: core, loop: loop))
                }
            }
            .bind(host: address.host, port: address.port).get()
        listeners.withLock { $0.append(channel) }
        let local = channel.localAddress
        return BoundListener(traffic: address.traffic, address: local?.text ?? "", port: local?.port ?? 0)
    }

    package var attacks: AttackCounters { core.attacks }
    package var openConnectionCount: Int { core.connections.count }

    /// Applies to new connections only.
    package func replace(tls: TLSContext) { core.tlsContext = tls }

    /// Stops listening, lets open streams finish, and closes remaining connections after `grace`.
    package func stop(grace: Duration) async {
        for listener in listeners.withLock({ $0 }) { try? await listener.close().get() }
        let ends = loops.map { loop in loop.eventLoop.flatSubmit { loop.value.stop() } }
        let deadlines = loops.map { loop in
            loop.eventLoop.scheduleTask(in: .init(grace)) { loop.value.closeAll() }
        }
        for end in ends { try? await end.get() }
        for deadline in deadlines { deadline.cancel() }
        core.mistakes.finish()
    }

    static func makeHandler(
        for traffic: Traffic, core: ServerCore, loop: EventLoopState
    ) throws(TLSError) -> any ChannelHandler {
        if let fault = core.acceptFault() {
            if traffic == .proxy, fault.refusal == .alert { return delayed(fault, core: core, loop: loop) }
            return AcceptFaultHandler(fault, server: core, traffic: traffic, loop: loop) {
                try makeUsualHandler(for: traffic, core: core, loop: loop)
            }
        }
        return try makeUsualHandler(for: traffic, core: core, loop: loop)
    }

    /// A TLS fault applies after the proxy, which itself does not use TLS.
    private static func delayed(_ fault: AcceptFault, core: ServerCore, loop: EventLoopState) -> any ChannelHandler {
        let wait = AcceptFault(rule: fault.rule, delay: fault.delay, refusal: nil)
        let alert = AcceptFault(rule: fault.rule, delay: .zero, refusal: .alert)
        return AcceptFaultHandler(wait, server: core, traffic: .proxy, loop: loop) {
            ProxyHandler(server: core, loop: loop, tlsFault: alert)
        }
    }

    private static func makeUsualHandler(
        for traffic: Traffic, core: ServerCore, loop: EventLoopState
    ) throws(TLSError) -> any ChannelHandler {
        switch traffic {
        case .provider: try core.makeTLSHandler(traffic: .provider, connectTarget: nil, loop: loop)
        case .clearText: ClearTextSniffer(server: core, loop: loop)
        case .proxy: ProxyHandler(server: core, loop: loop)
        }
    }
}

extension ProviderServer {
    /// For tests without a socket. `eventLoop` is that of the handler's channel.
    package static func makeHandler(
        for traffic: Traffic, configuration: ServerConfiguration, tls: TLSContext,
        on eventLoop: any EventLoop, logger: Logger,
        makeDelegate: @escaping @Sendable (ConnectionDescription) -> any ConnectionDelegate
    ) throws -> any ChannelHandler {
        let core = ServerCore(
            configuration: configuration, tls: tls, logger: logger, acceptFault: { nil }, makeDelegate: makeDelegate)
        let loop = EventLoopState(eventLoop: eventLoop, timeouts: core.timeouts)
        return try makeHandler(for: traffic, core: core, loop: loop)
    }
}
