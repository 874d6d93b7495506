package import HTTP2Engine
package import Logging
package import NIOCore
internal import NIOPosix
package import RequestWire
internal import Synchronization
package import TLSEngine

/// Runs listeners and their connections until a graceful shutdown.
package final class ProviderServer: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger
    let timeouts: Timeouts
    let connections: Mutex<ConnectionCounter>
    let mistakes: MistakeLog
    package let attacks = AttackCounters()
    let makeDelegate: @Sendable (ConnectionDescription) -> any ConnectionDelegate
    private let acceptFault: @Sendable () -> AcceptFault?
    private let tls: Mutex<TLSContext>
    private let group: any EventLoopGroup
    /// One per event loop, each confined to it.
    private let loops: [NIOLoopBoundBox<EventLoopState>]
    private let listeners = Mutex<[any Channel]>([])
    /// The size of one read before other connections get a turn: about a full TLS record, or sixty requests.
    /// Most idle connections keep the initial size, which most ClientHellos fit.
    private static let turn = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 1024, maximum: 16384)

    /// Calls `acceptFault` and `makeDelegate` once per connection, on its event loop; without a fault, serves as usual.
    package init(
        configuration: ServerConfiguration, tls: TLSContext, group: any EventLoopGroup, logger: Logger,
        acceptFault: @escaping @Sendable () -> AcceptFault? = { nil },
        makeDelegate: @escaping @Sendable (ConnectionDescription) -> any ConnectionDelegate
    ) {
        let timeouts = Timeouts(configuration.limits)
        self.configuration = configuration
        self.logger = logger
        self.timeouts = timeouts
        connections = Mutex(ConnectionCounter(configuration.limits))
        mistakes = MistakeLog(logger: logger)
        self.makeDelegate = makeDelegate
        self.acceptFault = acceptFault
        self.tls = Mutex(tls)
        self.group = group
        loops = group.makeIterator().map { eventLoop in
            NIOLoopBoundBox.makeBoxSendingValue(
                EventLoopState(eventLoop: eventLoop, timeouts: timeouts), eventLoop: eventLoop)
        }
    }

    /// - Parameter port: 0 lets the system choose.
    /// - Throws: The system's error when the address is in use or does not exist.
    package func listen(host: String, port: Int, _ traffic: Traffic) async throws -> BoundListener {
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { [attacks] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause(attacks: attacks))
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: Self.turn)
            // The kernel detects dead peers.
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try admit(channel)
                    try channel.pipeline.syncOperations.addHandler(makeHandler(for: traffic, on: channel))
                }
            }
            .bind(host: host, port: port).get()
        listeners.withLock { $0.append(channel) }
        let local = channel.localAddress
        return BoundListener(address: local?.text ?? "", port: local?.port ?? 0)
    }

    /// Applies to new connections only.
    package func replace(tls: TLSContext) { self.tls.withLock { $0 = tls } }

    /// Stops listening, lets open streams finish, and closes remaining connections after `grace`.
    package func stop(grace: Duration) async {
        for listener in listeners.withLock({ $0 }) { try? await listener.close().get() }
        let ends = loops.map { loop in loop.eventLoop.flatSubmit { loop.value.stop() } }
        let deadlines = loops.map { loop in
            loop.eventLoop.scheduleTask(in: .init(grace)) { loop.value.closeAll() }
        }
        for end in ends { try? await end.get() }
        for deadline in deadlines { deadline.cancel() }
        mistakes.finish()
    }

    /// The first handler of a new connection. Call it on the channel's event loop.
    package func makeHandler(for traffic: Traffic, on channel: any Channel) throws(TLSError) -> any ChannelHandler {
        guard let loop = loops.first(where: { $0.eventLoop === channel.eventLoop })?.value else {
            preconditionFailure("a connection runs on an event loop of the server's group")
        }
        var description = ConnectionDescription(
            traffic: traffic, remoteAddress: channel.remoteAddress?.text ?? "",
            localAddress: channel.localAddress?.text ?? "")
        guard var fault = acceptFault() else { return try makeUsualHandler(for: description, on: loop) }
        description.acceptFault = fault.rule
        var tlsFault: AcceptFault?
        if traffic == .proxy, fault.refusal == .alert {
            // A TLS fault applies after the proxy, which itself does not use TLS.
            tlsFault = AcceptFault(rule: fault.rule, delay: .zero, refusal: .alert)
            fault.refusal = nil
        }
        return AcceptFaultHandler(fault, server: self, description: description, loop: loop) {
            [tlsFault, description] in try self.makeUsualHandler(for: description, on: loop, tlsFault: tlsFault)
        }
    }

    private func makeUsualHandler(
        for description: ConnectionDescription, on loop: EventLoopState, tlsFault: AcceptFault? = nil
    ) throws(TLSError) -> any ChannelHandler {
        switch description.traffic {
        case .provider, .channelsSandbox, .channelsProduction: try makeTLSHandler(for: description, on: loop)
        case .clearText: ClearTextSniffer(server: self, description: description, loop: loop)
        case .proxy: ProxyHandler(server: self, description: description, loop: loop, tlsFault: tlsFault)
        }
    }

    func makeTLSHandler(
        for description: ConnectionDescription, on loop: EventLoopState
    ) throws(TLSError) -> ConnectionHandler {
        let connection = try TLSConnection(context: tls.withLock { $0 })
        return ConnectionHandler(server: self, transport: .tls(connection), description: description, loop: loop)
    }
}

package struct ServerConfiguration: Sendable {
    package var http2 = HTTP2Settings()
    package var limits = ConnectionLimits()
    /// For a client without open requests to acknowledge that the server stops, far more than a round trip; zero: no limit.
    package var noticeTimeout = Duration.milliseconds(25)
    /// Lower-case hosts whose CONNECT requests end at this gateway; all others are refused.
    package private(set) var proxyTargets: Set<String> = []
    /// Ports of those hosts that clients may request.
    package var proxyPorts: Set<Int> = [443, 2195, 2196, 2197]

    package init() {}

    package mutating func addProxyTarget(_ host: String) { proxyTargets.insert(ConnectRequest.canonical(host)) }
}

package struct BoundListener: Hashable, Sendable {
    /// Address and actual port: `127.0.0.1:2197` or `[::1]:2197`.
    package var address: String
    package var port: Int
}

extension SocketAddress {
    /// Address and port, with brackets around IPv6; empty for other families.
    package var text: String {
        switch self {
        case .v4: "\(ipAddress ?? ""):\(port ?? 0)"
        case .v6: "[\(ipAddress ?? "")]:\(port ?? 0)"
        case .unixDomainSocket: ""
        }
    }
}
