internal import AdminAPI
internal import Credentials
internal import Fields
internal import FoundationEssentials
internal import Logging
internal import NIOPosix
internal import PushcoteConfiguration
internal import PushcoteServer
internal import Time

/// A gateway in the test's own process, on free ports of this machine.
///
/// With the trait `.pushcote`, each suite has its own gateway and each test its own device, ``phone``.
public struct Pushcote: Sendable {
    /// The provider API for your back end, over TLS and HTTP/2: `https://localhost:PORT`.
    public let provider: String
    /// The provider API's host, which the certificate names.
    public let host: String
    /// The provider API's port; 0 if it is turned off.
    public let port: Int
    /// The provider API without TLS: `http://localhost:PORT`.
    public let clearText: String
    /// The admin API: `127.0.0.1:PORT`.
    public let admin: String
    /// The certificate authority that your back end must trust, as PEM.
    public let authority: String
    /// The authority's file.
    public let authorityFile: String
    /// The key that the gateway accepts, as PEM (`.p8`).
    public let key: String
    /// The key's file.
    public let keyFile: String
    /// The key's identifier, as Apple's developer account shows it.
    public let keyID: String
    /// The team's identifier.
    public let teamID: String

    private let process: GatewayProcess

    /// A class, because SwiftPM does not recompile a test when the layout of an internal import changes.
    private final class GatewayProcess: Sendable {
        let running: RunningGateway
        let run: Task<Void, any Error>
        let folder: String

        init(_ running: RunningGateway, _ run: Task<Void, any Error>, _ folder: String) {
            (self.running, self.run, self.folder) = (running, run, folder)
        }
    }

    private init(_ process: GatewayProcess) throws {
        let running = process.running
        let (addresses, parts) = (running.addresses, running.server.parts)
        (host, port) = ("localhost", Self.port(addresses.provider))
        provider = "https://\(host):\(port)"
        clearText = "http://\(host):\(Self.port(addresses.clearText))"
        admin = addresses.admin.first ?? ""
        authorityFile = running.authorityFile
        authority = try String(contentsOfFile: running.authorityFile, encoding: .utf8)
        keyFile = parts.demonstrationKey.path
        key = try String(contentsOfFile: keyFile, encoding: .utf8)
        (keyID, teamID) = (DemonstrationKey.keyID, DemonstrationKey.teamID)
        self.process = process
    }

    /// Starts a gateway, with settings such as `auth.mode=strict` or `fixtures=Tests/Fixtures`.
    ///
    /// It reads no configuration file and no environment variable. Its warnings go to standard error.
    /// - Throws: `PushcoteError` for an invalid setting.
    public static func start(_ settings: String...) async throws -> Pushcote { try await start(settings) }

    static func start(_ settings: [String]) async throws -> Pushcote {
        let folder = FileManager.default.temporaryDirectory.path + "/pushcote-\(UUID().uuidString)"
        do {
            let server = try server(settings, in: folder)
            let (ready, continuation) = AsyncStream.makeStream(of: RunningGateway.self)
            // `stop` awaits it.
            let run = Task {
                defer { continuation.finish() }
                try await server.run(on: .singleton, handlesSignals: false) { continuation.yield($0) }
            }
            for await running in ready { return try Pushcote(GatewayProcess(running, run, folder)) }
            run.cancel()
            try await run.value
            throw CancellationError()
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error is CancellationError ? error : PushcoteError("The gateway does not start: \(error)")
        }
    }

    private static func server(_ settings: [String], in folder: String) throws -> PushcoteServer {
        let folders = ["certificates.folder=\(folder)", "extensions.folder=\(folder)/extensions"]
        let sources = ConfigurationSources(overrides: folders + settings)
        var effective = try sources.load(text: "")
        effective.listenOnFreePorts()
        var logger = Logger(label: "pushcote", factory: { StreamLogHandler.standardError(label: $0) })
        let isQuiet = effective.origin(of: "log.level") == .builtIn
        logger.logLevel = isQuiet ? .warning : effective.configuration.log.level
        return try PushcoteServer(effective.configuration, sources: sources, logger: logger)
    }

    private static func port(_ addresses: [String]) -> Int {
        addresses.first.flatMap { HostPort($0) }.map { Int($0.port) } ?? 0
    }

    /// Stops the gateway and removes its files; it may be stopped already.
    public func stop() async throws {
        await process.running.stop()
        defer { try? FileManager.default.removeItem(atPath: process.folder) }
        try await process.run.value
    }

    /// A provider token for the header `authorization: bearer …`, signed now with the key.
    public func providerToken() -> String {
        let key = process.running.server.parts.demonstrationKey.key
        return ProviderTokenMaker(keyID: keyID, teamID: teamID, key: key).token(issuedAt: SystemClock.seconds())
    }

    var adminToken: String? { process.running.server.configuration.admin.token }
}

/// Why the gateway does not start or rejects a call; the message is the gateway's.
public struct PushcoteError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
    /// HTTP's; nil without an answer.
    public let status: Int?

    init(_ description: String, status: Int? = nil) { (self.description, self.status) = (description, status) }
}
