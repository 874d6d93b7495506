internal import DeviceSimulator
internal import ExtensionHost
internal import Gateway
internal import Logging
internal import Media
internal import NIOCore
internal import NIOPosix
internal import ProviderServer
internal import ServiceLifecycle
internal import Time
internal import UnixSignals

/// A service whose description is its name. The service group describes its services at start; by default that
/// reflects all their contents, which takes a third of the time until `Ready.`
protocol NamedService: Service, CustomStringConvertible {}

extension NamedService {
    var description: String { String(describing: Self.self) }
}

/// A service whose end shuts the others down gracefully; the end of any other service cancels them.
protocol LeadingService: NamedService {}

extension ServiceGroup {
    /// - Parameter signals: Those that shut it down gracefully.
    init(_ services: [any Service], endingOn signals: [UnixSignal], _ logger: Logger) {
        var quiet = logger
        // At debug level, it would log every service with its keys.
        quiet.logLevel = max(logger.logLevel, .warning)
        self.init(
            configuration: ServiceGroupConfiguration(
                services: services.map { service in
                    ServiceGroupConfiguration.ServiceConfiguration(
                        service: service,
                        successTerminationBehavior: service is any LeadingService
                            ? .gracefullyShutdownGroup : .cancelGroup)
                }, gracefulShutdownSignals: signals, logger: quiet))
    }
}

/// Stops the provider listeners, which open before the service starts.
struct ProviderService: NamedService {
    let server: ProviderServer
    let grace: Duration
    let gateway: Gateway

    func run() async throws {
        try? await gracefulShutdown()
        gateway.finishWaits()
        await server.stop(grace: grace)
    }
}

struct JournalService: NamedService {
    let keeper: JournalKeeper

    func run() async throws {
        try await onOwnThread(stop: { keeper.stop() }, onShutdown: { keeper.stop() }) { keeper.run() }
    }
}

/// Runs a call that blocks.
/// - Parameters:
///   - stop: Makes the call return.
///   - onShutdown: Called at a graceful shutdown.
func onOwnThread<Result: Sendable>(
    stop: @escaping @Sendable () -> Void, onShutdown: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    let thread = NIOThreadPool(numberOfThreads: 1)
    thread.start()
    let result = await withTaskCancellationHandler {
        await withGracefulShutdownHandler {
            do {
                return Swift.Result<Result, any Error>.success(try await thread.runIfActive(body))
            } catch {
                return .failure(error)
            }
        } onGracefulShutdown: {
            onShutdown()
        }
    } onCancel: {
        stop()
    }
    try await thread.shutdownGracefully()
    return try result.get()
}

/// Returns, and thereby stops the gateway, when it is asked to leave its house.
struct DepartureService: LeadingService {
    let requests: AsyncStream<Void>

    func run() async throws { for await _ in requests.cancelOnGracefulShutdown() { return } }
}

/// Delivers broadcasts to subscribers, and reservations to a person's devices, in batches between which pushes are served.
struct BroadcastService: NamedService {
    let simulator: DeviceSimulator

    func run() async throws {
        for await _ in simulator.broadcastRequests.cancelOnGracefulShutdown() {
            while !Task.isShuttingDownGracefully, simulator.fanOut() || simulator.shareReservations() {
                await Task.yield()
            }
        }
    }
}

/// Takes the place of `ExtensionService` in a replay.
struct ReplayedExtensionService: NamedService {
    let gateway: Gateway

    func run() async throws {
        for await _ in gateway.simulator.extensionRequests.cancelOnGracefulShutdown() { gateway.askExtensions() }
    }
}

struct ExtensionService: NamedService {
    private let gateway: Gateway
    private let host: ExtensionHost
    private let logger: Logger

    /// - Parameter loops: A separate group, so that an extension's long answer does not delay a provider's connection.
    init(
        _ settings: ExtensionSettings, gateway: Gateway, loops: any EventLoopGroup, archive: MediaArchive?,
        logger: Logger
    ) {
        (self.gateway, self.logger) = (gateway, logger)
        host = ExtensionHost(settings: settings, loops: loops, delegate: gateway)
        gateway.attach(host, media: settings.folder + "/.media", archive: archive)
    }

    func run() async throws {
        for (app, problem) in host.problems(of: gateway.simulator.apps()) {
            logger.warning("An extension cannot start", metadata: ["app": "\(app)", "problem": "\(problem)"])
        }
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                for await _ in gateway.simulator.extensionRequests.cancelOnGracefulShutdown() {
                    gateway.askExtensions()
                }
            }
            tasks.addTask {
                for await _ in host.dueChanges.cancelOnGracefulShutdown() { gateway.simulator.clockChanged() }
            }
        }
        await host.stop()
    }
}

/// Runs due events of devices on time, without waiting for a request.
struct DueService: NamedService {
    let gateway: Gateway
    let loop: any EventLoop

    /// One day in milliseconds; a later due time takes several timers.
    private static let longestDelay: Int64 = .day

    func run() async throws {
        var timer: Scheduled<Void>?
        // Sets the first timer.
        gateway.simulator.clockChanged()
        for await _ in gateway.simulator.dueChanges.cancelOnGracefulShutdown() {
            timer?.cancel()
            timer = schedule()
        }
        timer?.cancel()
    }

    /// Schedules the next due event of all devices; nil while the clock is manual.
    private func schedule() -> Scheduled<Void>? {
        guard let due = gateway.nextDue, let delay = gateway.clock.delay(until: due) else { return nil }
        return loop.scheduleTask(in: .milliseconds(min(delay, Self.longestDelay))) {
            Task {
                await gateway.runDue()
                gateway.simulator.clockChanged()
            }
        }
    }
}
