internal import ArgumentParser
internal import CLI
internal import Files
internal import Logging
internal import Memory
internal import PushcoteConfiguration
internal import PushcoteServer

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "serve", abstract: "Run the gateway until SIGTERM or SIGINT.",
        exits: [.ok, .failed, .badConfiguration, .usage],
        discussion: """
            Prints every address, the CA to trust and a signing key, then "Ready." on a separate line. On SIGTERM and SIGINT \
            the gateway completes open requests first; SIGHUP reloads the configuration.

            EXAMPLES
              pushcote serve
              pushcote serve --set auth.mode=strict --set listen.provider=0.0.0.0:2197
              pushcote serve --set listen.provider=127.0.0.1:0 --addresses-file addresses.json
            """)

    @OptionGroup var options: ConfigurationOptions

    @Option(
        help: ArgumentHelp("Write the listening addresses to a file, as JSON.", valueName: "path")
    )
    var addressesFile: String?

    @Flag(help: "Print the start message as one JSON object.") var json = false

    func run() async throws {
        let effective = try options.load()
        let whenReady: @Sendable (RunningGateway) async throws -> Void = { [json, addressesFile] gateway in
            try gateway.announce(json, addressesFile: addressesFile)
        }
        guard effective.configuration.journal == .postgres else {
            let server = try PushcoteServer.make(effective, options.sources)
            return try await server.serve(handlesSignals: true, whenReady: whenReady)
        }
        let server = try PushcoteServer.make(effective) { logger in
            try StandbyServer(effective.configuration, sources: options.sources, logger: logger)
        }
        try await PushcoteServer.reportingFailures { try await server.run(whenReady: whenReady) }
    }
}

extension RunningGateway {
    /// Prints the start message, and writes the addresses to a file.
    func announce(_ isJSON: Bool, above line: String? = nil, addressesFile: String?) throws {
        if let addressesFile {
            do {
                try FileStore.write(Array((json + "\n").utf8), to: addressesFile, access: .everybody)
            } catch {
                throw CommandFailure(
                    .failed,
                    "--addresses-file: \(addressesFile) cannot be written (\(error.reason)); name a file in a folder that "
                        + "exists and is writable")
            }
        }
        StandardStreams.write(isJSON ? json : (line.map { $0 + "\n" } ?? "") + announcement)
    }
}

extension PushcoteServer {
    static func make(_ effective: EffectiveConfiguration, _ sources: ConfigurationSources) throws(CommandFailure)
        -> PushcoteServer
    {
        try make(effective) { try PushcoteServer(effective.configuration, sources: sources, logger: $0) }
    }

    static func make<Server>(
        _ effective: EffectiveConfiguration, _ server: (Logger) throws -> Server
    ) throws(CommandFailure) -> Server {
        FreedMemory.mergeAtOnce()
        let configuration = effective.configuration
        let output = LogOutput(configuration.log.format)
        var logger = Logger(label: "pushcote") { _ in output }
        logger.logLevel = configuration.log.level
        for warning in effective.warnings { logger.warning("\(warning)") }
        do {
            return try server(logger)
        } catch {
            throw CommandFailure(.badConfiguration, "\(error)")
        }
    }

    func serve(
        handlesSignals: Bool, whenReady: @escaping @Sendable (RunningGateway) async throws -> Void
    ) async throws {
        try await Self.reportingFailures { try await run(handlesSignals: handlesSignals, whenReady: whenReady) }
    }

    static func reportingFailures(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch  where error is StartError || error is FileProblem {
            throw CommandFailure(.failed, "\(error)")
        }
    }
}
