internal import AdminAPI
internal import ArgumentParser
internal import CLI
internal import ChildProcesses
internal import Credentials
internal import Fields
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import Logging
internal import NIOPosix
internal import PushcoteConfiguration
internal import PushcoteServer
internal import Synchronization
internal import UnixSignals

struct ExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Start a gateway, run a command against it, stop it, and exit with the command's code.",
        discussion: """
            The gateway listens on free ports, and logs warnings only, unless the configuration sets them. The command's \
            environment has:

              PUSHCOTE_RUN_PROVIDER     host:port, TLS and HTTP/2 (also …_PROVIDER_HOST, …_PROVIDER_PORT)
              PUSHCOTE_RUN_CLEAR_TEXT   host:port, without TLS
              PUSHCOTE_RUN_PROXY        http://host:port, the CONNECT proxy
              PUSHCOTE_ADMIN            http://host:port, the admin API (also …_ADMIN_TOKEN, if one is set)
              PUSHCOTE_RUN_CA           the CA to trust, a PEM file (also …_CA_BUNDLE, with the system's CAs)
              PUSHCOTE_RUN_KEY          the signing key, a .p8 file (also …_KEY_ID, …_TEAM_ID)

            EXAMPLES
              pushcote exec -- pytest tests/push
              pushcote exec --set auth.mode=strict -- go test ./...
              pushcote exec --record run.json -- make integration-test

            EXIT STATUS
              The command's; 128 plus the signal's number if a signal ended it; 127 if it does not exist.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Option(
        help: ArgumentHelp(
            "Write the run to a file for pushcote replay, also if the command fails.", valueName: "path"))
    var record: String?

    @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.") var command: [String] = []

    /// The exit status of shells.
    private static let noSuchCommand: Int32 = 127

    func validate() throws {
        if command.isEmpty {
            throw ValidationError("the command is missing; it stands after --, such as pushcote exec -- pytest")
        }
    }

    func run() async throws {
        var effective = try options.load()
        effective.listenOnFreePorts()
        // Lines of pushes would stand among the command's own.
        if effective.origin(of: "log.level") == .builtIn { effective.configuration.log.level = .warning }
        let server = try PushcoteServer.make(effective, options.sources)
        let status = Mutex<Int32>(ExitStatus.failed.rawValue)
        try await server.serve(handlesSignals: false) { [command, record] gateway in
            if record != nil { await gateway.startRecording("exec") }
            var code = try await Self.run(command, in: gateway)
            if let record, await !Self.write(gateway.recordedRun(), to: record), code == 0 {
                code = ExitStatus.failed.rawValue
            }
            status.withLock { [code] in $0 = code }
            await gateway.stop()
        }
        let code = status.withLock { $0 }
        if code != 0 { throw ExitCode(code) }
    }

    private static func write(_ recording: [UInt8]?, to file: String) -> Bool {
        do throws(FileProblem) {
            guard let recording else { throw FileProblem(path: file, reason: "the command ended the recording") }
            try FileStore.write(recording, to: file, access: .ownerOnly)
            return true
        } catch {
            StandardStreams.writeError("pushcote: the recording cannot be written to \(error)")
            return false
        }
    }

    /// Runs the command to its end; SIGTERM and SIGINT are for the command to handle.
    /// - Returns: The exit status as shells report it.
    private static func run(_ command: [String], in gateway: RunningGateway) async throws -> Int32 {
        // Trap signals before starting the command, so that none is lost.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let child: ChildProcess
        do throws(SystemError) {
            let environment = ProcessInfo.processInfo.environment.merging(gateway.environment) { $1 }
            child = try ChildCommand(program: command[0], arguments: command, environment: environment).start()
        } catch {
            StandardStreams.writeError("pushcote: \(command[0]): \(error)")
            return noSuchCommand
        }
        // A terminal sends SIGINT to both processes, but SIGTERM reaches only this one.
        async let _: Void = { for await signal in signals where signal == .sigterm { child.signal(SIGTERM) } }()
        return try await NIOThreadPool.singleton.runIfActive { child.wait().shellStatus }
    }
}

extension RunningGateway {
    /// A configured chain has no bundle file, so the chain itself is the bundle.
    private var authorityBundle: String {
        server.configuration.certificates.chain ?? server.parts.store.path(.bundle)
    }

    /// The command may run in another folder, so paths are absolute.
    fileprivate var environment: [String: String] {
        let provider = addresses.provider.first.flatMap { HostPort($0) }
        let variables: [String: String?] = [
            "PUSHCOTE_RUN_CA": FileStore.absolutePath(authorityFile),
            "PUSHCOTE_RUN_CA_BUNDLE": FileStore.absolutePath(authorityBundle),
            "PUSHCOTE_RUN_KEY": FileStore.absolutePath(server.parts.demonstrationKey.path),
            "PUSHCOTE_RUN_KEY_ID": DemonstrationKey.keyID, "PUSHCOTE_RUN_TEAM_ID": DemonstrationKey.teamID,
            "PUSHCOTE_RUN_PROVIDER": provider?.text, "PUSHCOTE_RUN_PROVIDER_HOST": provider?.host,
            "PUSHCOTE_RUN_PROVIDER_PORT": provider.map { String($0.port) },
            "PUSHCOTE_RUN_CLEAR_TEXT": addresses.clearText.first,
            "PUSHCOTE_RUN_PROXY": addresses.proxy.first.map { "http://\($0)" },
            "PUSHCOTE_ADMIN": addresses.admin.first.map { "http://\($0)" },
            "PUSHCOTE_ADMIN_TOKEN": server.configuration.admin.token,
        ]
        return variables.compactMapValues(\.self)
    }
}
