package import ArgumentParser

/// `pushcote`: the gateway, and the commands that talk to one.
package struct PushcoteCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "pushcote",
        abstract: "A mock push gateway: your back end pushes to it as to APNs, and you see what the device received.",
        discussion: """
            The commands but serve, token, certs, lint, config, exec and extension talk to the admin API of a running gateway. They find it at \
            http://127.0.0.1:8197 unless --admin or the environment variable PUSHCOTE_ADMIN says otherwise; a gateway that \
            demands a token gets it from --token or PUSHCOTE_ADMIN_TOKEN.

            EXAMPLES
              pushcote send phone com.example.app payload.json
              pushcote wait phone --count 3 --timeout 10s
              pushcote inbox phone --json
              pushcote explain 17

            \(ExitStatus.paragraph(ExitStatus.allCases))
            """,
        subcommands: [
            ServeCommand.self, TokenCommand.self, CertsCommand.self, ExecCommand.self, SendCommand.self,
            DevicesCommand.self, DeviceCommand.self, InboxCommand.self, WaitCommand.self, ExplainCommand.self,
            EventsCommand.self, ScreenCommand.self, ActCommand.self, ClockCommand.self, LintCommand.self,
            FaultCommand.self, ExtensionCommand.self, ReadyzCommand.self, ConfigCommand.self,
        ])

    /// Makes the command; the parser fills it.
    package init() {}

    /// Runs what the command line asks for, and ends the process.
    package static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            StandardStreams.writeError(failure.message.isEmpty ? "" : "pushcote: \(failure.message)")
            exit(withError: ExitCode(failure.status.rawValue))
        } catch {
            exit(withError: error)
        }
    }
}
