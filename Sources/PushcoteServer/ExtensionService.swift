internal import DeviceModel
internal import DeviceSimulator
internal import ExtensionHost
internal import Gateway
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// Gives pushes to service extensions, and what they make of them back to the devices.
struct ExtensionService: NamedService {
    private let gateway: Gateway
    private let host: ExtensionHost

    /// - Parameter loops: A group of its own: an extension's long answer must not hold up a provider's connection.
    init(_ settings: ExtensionSettings, gateway: Gateway, loops: any EventLoopGroup) {
        self.gateway = gateway
        host = ExtensionHost(
            settings: settings, loops: loops, now: gateway.now,
            finish: { request, run in gateway.finishExtension(run, of: request) },
            center: { request, call, reply in gateway.notificationCenter(call, of: request, reply) },
            keep: { image, request in gateway.keep(image, of: request) },
            assumptions: { gateway.simulator.assumptions })
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
