package import APNs
internal import Credentials
internal import DeviceSimulator
internal import Files
internal import Gateway
package import Logging
internal import NIOCore
internal import NIOPosix
internal import ProviderServer
package import PushcoteConfiguration
internal import ServiceLifecycle
internal import TLSEngine
internal import UnixSignals
internal import Wire

/// A whole gateway: listeners, devices and the admin API, from start to graceful stop.
package struct PushcoteServer: Sendable {
    package let parts: GatewayParts
    package let configuration: Configuration
    package let seed: UInt64
    package let startedAt: Instant
    private let sources: ConfigurationSources
    package let logger: Logger

    /// Reads every file the gateway needs, and creates what is missing.
    /// - Parameter sources: Read again on SIGHUP.
    /// - Throws: `ConfigurationError`, `CertificateError`, `FileProblem` or `StartError`.
    package init(_ configuration: Configuration, sources: ConfigurationSources, logger: Logger) throws {
        try configuration.checkAdminAccess()
        (self.configuration, self.sources, self.logger) = (configuration, sources, logger)
        startedAt = SystemClock.now()
        seed = configuration.seed ?? UInt64.random(in: 1...(1 << 53))
        parts = try GatewayParts(configuration, seed: seed)
    }

    /// Serves until a signal, or `RunningGateway.stop()`, asks for an end.
    /// - Parameters:
    ///   - handlesSignals: SIGTERM and SIGINT end the server in good order, SIGHUP reads the configuration again.
    ///   - whenReady: Called once everything listens.
    /// - Throws: `StartError` when an address cannot be had.
    package func run(
        handlesSignals: Bool, whenReady: @escaping @Sendable (RunningGateway) async throws -> Void
    ) async throws {
        // Not shut down at the end: Hummingbird's server closes its channels in a task that may outlive its `run`, and the
        // process ends, or a test's group is left to it.
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: UsableCores.count)
        try await run(on: loops, handlesSignals: handlesSignals, whenReady: whenReady)
    }

    private func run(
        on loops: MultiThreadedEventLoopGroup, handlesSignals: Bool,
        whenReady: @escaping @Sendable (RunningGateway) async throws -> Void
    ) async throws {
        let server = try await makeServer(loops)
        let startup = Startup()
        do {
            try await Listeners(configuration: configuration, logger: logger).open(on: server, startup)
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        let provider = ProviderService(server: server, grace: configuration.shutdown.grace, gateway: parts.gateway)
        let due = DueService(gateway: parts.gateway, loop: loops.next())
        // The first to start and the last to end, as whatever the others do is to be kept.
        let journal = parts.gateway.keeper.map { JournalService(keeper: $0) }
        let extensions = ExtensionService(
            configuration.extensions, gateway: parts.gateway, loops: MultiThreadedEventLoopGroup(numberOfThreads: 1))
        var services: [any Service] =
            [journal].compactMap(\.self) + [provider, due, extensions]
            + adminServices(loops, startup, server.attacks)
        if configuration.log.pushes, logger.logLevel <= .info {
            services.append(PushLog(gateway: parts.gateway, logger: logger))
        }
        if handlesSignals {
            services.append(
                Reload(server: self, listeners: server, sources: sources, logger: logger, loop: loops.next()))
        }
        let group = ServiceGroup(
            services: services, gracefulShutdownSignals: handlesSignals ? [.sigterm, .sigint] : [],
            logger: Self.quiet(logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { startup.cancel() }
                try await group.run()
            }
            tasks.addTask {
                guard let addresses = await startup.addresses(adminCount: configuration.listen.admin.count) else {
                    return
                }
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

    /// The service group describes every service whole at debug level, keys and all; what it says there is not for logs.
    private static func quiet(_ logger: Logger) -> Logger {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        return quiet
    }

    private func makeServer(_ loops: MultiThreadedEventLoopGroup) async throws -> ProviderServer {
        var settings = ServerConfiguration()
        settings.http2 = configuration.http2Settings
        settings.limits = configuration.limits
        for target in EnvironmentRules.appleHosts.map(\.name) + configuration.proxy.targets {
            settings.addProxyTarget(target)
        }
        var gates: CommitGates?
        if let keeper = parts.gateway.keeper { gates = try await CommitGates(keeper, loops) }
        return try await ProviderServer(
            configuration: settings, tls: parts.tls, group: loops, logger: logger,
            acceptFault: { [gateway = parts.gateway] in gateway.acceptFault().map(AcceptFault.init) }
        ) { [gateway = parts.gateway, gates] description in
            ProviderDelegate(gateway: gateway, description: description, gate: gates?.current)
        }
    }
}

/// The provider's listeners as a service: they are open already, and close in good order at the end.
struct ProviderService: NamedService {
    let server: ProviderServer
    let grace: Duration
    let gateway: Gateway

    func run() async throws {
        try? await gracefulShutdown()
        gateway.simulator.finishWaits()
        await server.stop(grace: grace)
    }
}

/// The cores that this process may run on: one event loop is started for each.
enum UsableCores {
    /// At least 1. NIO counts what a container's quota allows; `taskset` and CPU sets narrow that down.
    static var count: Int { max(1, min(allowedCount ?? .max, System.coreCount)) }

    /// From the mask of the kernel's status file, `Cpus_allowed: ff`; `nil` on other systems.
    private static var allowedCount: Int? {
        guard let status = try? FileStore.text("/proc/self/status") else { return nil }
        let name = "Cpus_allowed:"
        return status.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count)
            .compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
    }
}
