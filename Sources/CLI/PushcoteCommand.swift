package import ArgumentParser

package struct PushcoteCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "pushcote",
        abstract: "A mock push gateway: push to it as to APNs, and see what the device received.",
        discussion: """
            All commands except serve, token, certs, lint, config, exec and extension talk to the admin API of a running \
            gateway. Its address is --admin, else $PUSHCOTE_ADMIN, else listen.admin of the configuration (default \
            http://127.0.0.1:8197); its token is --token, else $PUSHCOTE_ADMIN_TOKEN, else admin.token.

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

    package init() {}

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
