import DeviceSimulator
import ExtensionHost
import Fields
import Foundation
import Gateway
import Logging
import NIOPosix
import PushcoteConfiguration
import TestSupport
import Testing

@testable import PushcoteServer

/// A process that starts a gateway per test must not keep them all.
@Suite(.timeLimit(.minutes(5))) struct StopTests {
    private struct Parts: Sendable {
        let hadHost: Bool
        weak var gateway: Gateway?
        weak var simulator: DeviceSimulator?
        weak var host: ExtensionHost?
    }

    /// The parts of a gateway that served and has stopped.
    private static func stopped(in folder: String) async throws -> Parts {
        var configuration = Configuration()
        configuration.certificates.folder = folder
        configuration.extensions.folder = folder + "/extensions"
        for list in Configuration.Listen.lists {
            configuration.listen[keyPath: list.addresses] = [HostPort(host: "127.0.0.1", port: 0)]
        }
        let server = try PushcoteServer(configuration, sources: ConfigurationSources(), logger: Logger(label: "test"))
        let (running, continuation) = AsyncStream.makeStream(of: Parts.self)
        try await server.run(on: MultiThreadedEventLoopGroup.singleton, handlesSignals: false) { running in
            let gateway = running.server.parts.gateway
            let host = gateway.extensionHost
            continuation.yield(
                Parts(hadHost: host != nil, gateway: gateway, simulator: gateway.simulator, host: host))
            continuation.finish()
            await running.stop()
        }
        return try #require(await running.first { _ in true })
    }

    @Test func aStoppedGatewayIsFreed() async throws {
        let folder = NSTemporaryDirectory() + "pushcote-stop-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let parts = try await Self.stopped(in: folder)
        #expect(parts.hadHost && parts.host == nil)
        // Tasks that end after `run` may still refer to it.
        try await Patience.wait(for: "the gateway to be freed") { parts.gateway == nil }
        #expect(parts.simulator == nil)
    }
}
