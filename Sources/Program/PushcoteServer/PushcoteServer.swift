package import AdminAPI
internal import Files
internal import Gateway
package import Logging
internal import NIOCore
package import NIOPosix
internal import ProviderServer
package import PushcoteConfiguration
internal import Relay
internal import ServiceLifecycle
package import Time
internal import UnixSignals
internal import Webhooks

/// Runs a gateway with its listeners and admin API from start to graceful shutdown.
package struct PushcoteServer: Sendable {
    package let parts: GatewayParts
    package let configuration: Configuration
    package let seed: UInt64
    package let startedAt: Instant
    private let sources: ConfigurationSources
    package let logger: Logger
    /// nil for a gateway without standbys.
    let house: House?
    /// Whether it shows a recorded run.
    var isReplay = false

    /// Reads all files, and creates missing certificates and keys.
    /// - Parameter sources: Read again on SIGHUP.
    /// - Throws: `ConfigurationError`, `CertificateError`, `FileProblem` or `StartError`.
    package init(_ configuration: Configuration, sources: ConfigurationSources, logger: Logger) throws {
        try self.init(configuration, sources: sources, house: nil, logger: logger)
    }

    init(_ configuration: Configuration, sources: ConfigurationSources, house: House?, logger: Logger) throws {
        try configuration.checkAddresses()
        (self.configuration, self.sources, self.house, self.logger) = (configuration, sources, house, logger)
        startedAt = SystemClock.now()
        seed = configuration.seed ?? UInt64.random(in: 1...(1 << 53))
        parts = try GatewayParts(configuration, seed: seed, house: house)
        logger.warn(of: parts.skipped)
    }

    /// Serves until a signal or `RunningGateway.stop()`.
    /// - Parameters:
    ///   - shared: The event loops of a process that starts several gateways; nil makes new ones.
    ///   - handlesSignals: SIGTERM and SIGINT shut down gracefully, SIGHUP reloads the configuration.
    /// - Throws: `StartError` when an address cannot be bound.
    package func run(
        on shared: MultiThreadedEventLoopGroup? = nil, handlesSignals: Bool,
        whenReady: @escaping @Sendable (RunningGateway) async throws -> Void
    ) async throws {
        // Never shut down: Hummingbird closes its channels in a task that may outlive `run`, then the process exits.
        let loops = shared ?? MultiThreadedEventLoopGroup(numberOfThreads: UsableCores.count)
        let extensionLoops = shared ?? MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let relay = parts.upstream.map { Relay($0, parts.gateway, loop: loops.next()) }
        let server = try await makeServer(loops, relay)
        let bound = BoundAddresses()
        do {
            try await Listeners(server: server, bound: bound, logger: logger).open(configuration.listen)
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        let services =
            services(server, bound, loops, extensionLoops, handlesSignals: handlesSignals) + (relay.map { [$0] } ?? [])
        // The signals of a gateway with standbys end its `StandbyServer`, and so this group.
        let group = ServiceGroup(
            services, endingOn: handlesSignals && house == nil ? [.sigterm, .sigint] : [], logger)
        defer { parts.gateway.detachHost() }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { bound.cancel() }
                try await group.run()
            }
            tasks.addTask {
                guard let addresses = await bound.all(adminCount: configuration.listen.admin.count) else { return }
                do {
                    try await whenReady(RunningGateway(server: self, addresses: addresses, services: group))
                } catch {
                    await group.triggerGracefulShutdown()
                    throw error
                }
            }
            try await tasks.waitForAll()
        }
    }

    /// In starting order; services stop in reverse, so the journal stops last.
    private func services(
        _ server: ProviderServer, _ bound: BoundAddresses, _ loops: MultiThreadedEventLoopGroup,
        _ extensionLoops: MultiThreadedEventLoopGroup, handlesSignals: Bool
    ) -> [any Service] {
        var services: [any Service] = parts.gateway.keeper.map { [JournalService(keeper: $0)] } ?? []
        services += [
            ProviderService(server: server, grace: configuration.shutdownGrace, gateway: parts.gateway),
            DueService(gateway: parts.gateway, loop: loops.next()),
            BroadcastService(simulator: parts.gateway.simulator),
        ]
        if isReplay {
            services.append(ReplayedExtensionService(gateway: parts.gateway))
        } else {
            services.append(
                ExtensionService(
                    configuration.extensions, gateway: parts.gateway, loops: extensionLoops, archive: house?.archive,
                    logger: logger))
        }
        services += adminServices(loops, bound, server.attacks)
        if let house { services.append(DepartureService(requests: house.departures.stream)) }
        if !isReplay {
            services.append(
                WebhookService(
                    parts.gateway.webhooks, parts.gateway.simulator, keeper: parts.gateway.keeper,
                    now: parts.gateway.now, listeners: { bound.current.all }, body: AdminAPI.message))
        }
        if configuration.log.pushes, logger.logLevel <= .info {
            services.append(PushLog(gateway: parts.gateway, logger: logger, loop: loops.next()))
        }
        if handlesSignals, !isReplay {
            services.append(
                Reload(server: self, listeners: server, sources: sources, logger: logger, loop: loops.next()))
        }
        return services
    }

    private func makeServer(_ loops: MultiThreadedEventLoopGroup, _ relay: Relay?) async throws -> ProviderServer {
        var settings = ServerConfiguration()
        settings.http2 = configuration.http2
        settings.limits = configuration.limits
        for target in EnvironmentRules.appleHosts.map(\.name) + configuration.proxyTargets {
            settings.addProxyTarget(target)
        }
        var gates: CommitGates?
        if let keeper = parts.gateway.keeper { gates = try await CommitGates(keeper, loops) }
        return ProviderServer(
            configuration: settings, tls: parts.tls, group: loops, logger: logger,
            acceptFault: { [gateway = parts.gateway] in gateway.acceptFault().map(AcceptFault.init) }
        ) { [gateway = parts.gateway, gates] description in
            ProviderDelegate(gateway: gateway, description: description, gate: gates?.current, relay: relay)
        }
    }
}

/// A gateway whose listeners are open.
package struct RunningGateway: Sendable {
    package let server: PushcoteServer
    package let addresses: ServerInformation.Addresses
    let services: ServiceGroup

    /// Shuts down gracefully; `PushcoteServer.run` returns afterwards.
    package func stop() async { await services.triggerGracefulShutdown() }

    package var authorityFile: String { server.authorityFile }
}

/// The cores available to this process; each gets an event loop.
enum UsableCores {
    /// At least 1. NIO respects a container's quota; `taskset` and CPU sets may allow fewer.
    static var count: Int { max(1, min(allowedCount ?? .max, System.coreCount)) }

    /// Counts the bits of the kernel's mask, `Cpus_allowed: ff`; nil on other systems.
    private static var allowedCount: Int? {
        guard let status = try? FileStore.text("/proc/self/status") else { return nil }
        let name = "Cpus_allowed:"
        return status.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count)
            .compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
    }
}
