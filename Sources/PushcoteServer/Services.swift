internal import DeviceModel
internal import DeviceSimulator
internal import ExtensionHost
internal import Gateway
internal import NIOCore
internal import NIOPosix
package import ServiceLifecycle

/// A service that is described by its name.
///
/// The service group describes each of its services at start, which without this reflects everything that the service holds:
/// a third of the time until `Ready.`, and keys in a debug log.
package protocol NamedService: Service, CustomStringConvertible {}

extension NamedService {
    package var description: String { String(describing: Self.self) }
}

/// Writes the journal on a thread of its own, and ends when nothing is left that could happen.
struct JournalService: NamedService {
    let keeper: JournalKeeper

    func run() async throws {
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                try? await thread.runIfActive { [keeper] in keeper.run() }
            } onGracefulShutdown: {
                keeper.stop()
            }
        } onCancel: {
            keeper.stop()
        }
        try await thread.shutdownGracefully()
    }
}

/// Gives pushes to service extensions, and what they make of them back to the devices.
struct ExtensionService: NamedService {
    private let gateway: Gateway
    private let host: ExtensionHost

    /// - Parameter loops: A group of its own: an extension's long answer must not hold up a provider's connection.
    init(_ settings: ExtensionSettings, gateway: Gateway, loops: any EventLoopGroup) {
        self.gateway = gateway
        host = ExtensionHost(settings: settings, loops: loops, delegate: gateway)
        gateway.employ(host, media: settings.folder + "/.media")
    }

    func run() async throws {
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
