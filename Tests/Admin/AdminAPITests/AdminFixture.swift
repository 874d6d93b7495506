import APNs
import DeviceSimulator
import Logging
import NIOCore
import NIOPosix
import RequestWire
import ServiceLifecycle
import Synchronization
import Testing
import Time

@testable import AdminAPI
@testable import Gateway

/// A listening admin API and its gateway.
struct AdminFixture: Sendable {
    let gateway: Gateway
    let address: SocketAddress
    let shutdown: @Sendable () async -> Void

    func send(
        _ method: String, _ path: String, _ body: String = "", headers: [(String, String)] = []
    ) async throws -> Answer {
        try await AdminClient.send(method, path, Array(body.utf8), headers: headers, to: address)
    }

    func get(_ path: String) async throws -> Answer { try await send("GET", path) }

    /// Registers a device and returns its token.
    @discardableResult
    func register(_ device: String = "phone", topic: String = "com.example.app") throws -> DeviceToken {
        try gateway.simulator.register(
            device: device, topic: topic, environment: .sandbox, kind: .app, at: gateway.now()
        ).token
    }

    /// Returns once so many waits are pending; the suite's time limit bounds it.
    func waitForWaits(_ count: Int) async {
        while gateway.waitCount != count, !Task.isCancelled { await Task.yield() }
    }

    /// Sends a push through the provider protocol.
    func push(
        _ token: DeviceToken, _ payload: String = #"{"aps":{"alert":"Hi"}}"#, topic: String = "com.example.app",
        fields: [(name: String, value: String)] = [("apns-push-type", "alert")]
    ) -> UInt16 {
        push(token.hex, Array(payload.utf8), topic: topic, fields: fields)
    }

    func push(
        _ token: String, _ payload: [UInt8], topic: String, fields: [(name: String, value: String)]
    ) -> UInt16 {
        var facts = ConnectionFacts(openedAt: gateway.now())
        (facts.remoteAddress, facts.localAddress) = ("127.0.0.1:50000", "127.0.0.1:2197")
        (facts.traffic, facts.httpVersion) = (.provider, .http2)
        facts.tls = .init(
            version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", offeredALPN: ["h2"], selectedALPN: "h2",
            serverName: "localhost", isResumed: false, clientCertificate: nil)
        let connection = gateway.connect(facts, certificate: nil)
        let base: [(name: String, value: String)] = [
            (":method", "POST"), (":scheme", "https"), (":path", "/3/device/\(token)"),
            (":authority", "localhost:2197"), ("apns-topic", topic),
        ]
        let request = RequestBlock(fields: base + fields, body: payload)
        connection.beginTurn()
        return connection.answer(to: request).status
    }
}

/// 2026-11-21T07:00:00.000Z on a stopped clock.
let testTime = Instant(milliseconds: 1_795_244_400_000)

func makeGateway(limits: InboxLimits = InboxLimits()) -> Gateway {
    var settings = GatewaySettings()
    settings.authenticationMode = .off
    return Gateway(
        settings: settings, simulator: DeviceSimulator(limits: limits, deriveToken: Gateway.deriveToken), seed: 1,
        requestCapacity: 100, tokenCapacity: 10, now: { testTime })
}

func makeAdmin(
    _ gateway: Gateway, _ configuration: AdminConfiguration = AdminConfiguration(), isReady: Bool = true
) -> AdminAPI {
    AdminAPI(
        gateway: gateway, configuration: configuration, run: 0x0A1B2C,
        documents: { document in
            switch document {
            case .authority: Array("CA".utf8)
            case .bundle: Array("BUNDLE".utf8)
            case .trustStore: [0, 1, 2]
            }
        },
        information: {
            var addresses = ServerInformation.Addresses()
            addresses.provider = ["127.0.0.1:2197"]
            addresses.admin = ["127.0.0.1:8197"]
            var information = ServerInformation(
                version: "1.2.3", profile: "faithful", startedAt: testTime, addresses: addresses)
            information.limitsReached = [(limit: "PingFlood", count: 3)]
            return information
        },
        isReady: { isReady }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
}

extension AdminAPI {
    /// Every endpoint.
    var paths: [(method: String, path: String, query: [String])] {
        table.endpoints.map { ("\($0.method)", $0.path, $0.query) }
    }

    /// Every endpoint except the endless event stream.
    var endingPaths: [(method: String, path: String, query: [String])] {
        paths.filter { !$0.path.hasSuffix("/stream") }
    }
}

/// An admin API on its own port for each test: ``admin``.
struct AdminTrait: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal static var fixture: AdminFixture?

    let configuration: AdminConfiguration

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withAdmin(configuration) { admin in try await Self.$fixture.withValue(admin) { try await function() }
        }
    }
}

extension Trait where Self == AdminTrait {
    static var admin: Self { admin(AdminConfiguration()) }

    /// Instead of the suite's, one with another configuration.
    static func admin(_ configuration: AdminConfiguration) -> Self { AdminTrait(configuration: configuration) }
}

/// The admin API of the current test, which has the trait `.admin`.
var admin: AdminFixture {
    guard let fixture = AdminTrait.fixture else { preconditionFailure("the test lacks the trait .admin") }
    return fixture
}

/// Runs the body with an admin API on its own port; returns once the API has stopped.
func withAdmin<Result: Sendable>(
    _ configuration: AdminConfiguration = AdminConfiguration(), limits: InboxLimits = InboxLimits(),
    isReady: Bool = true,
    _ body: @Sendable (AdminFixture) async throws -> Result
) async throws -> Result {
    let gateway = makeGateway(limits: limits)
    let (bound, source) = AsyncStream<SocketAddress>.makeStream()
    let api = makeAdmin(gateway, configuration, isReady: isReady)
    let service = api.makeService(
        host: "127.0.0.1", port: 0, group: MultiThreadedEventLoopGroup.singleton, onBound: { source.yield($0) })
    let group = ServiceGroup(
        services: [api.feed, service], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { source.finish() }
            try await group.run()
        }
        var addresses = bound.makeAsyncIterator()
        guard let address = await addresses.next() else {
            try await tasks.next()
            fatalError("the service ended before it listened")
        }
        let fixture = AdminFixture(
            gateway: gateway, address: address, shutdown: { await group.triggerGracefulShutdown() })
        do {
            let result = try await body(fixture)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        } catch {
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            throw error
        }
    }
}
