internal import ArgumentParser
internal import CLI
internal import Fields
internal import PushcoteConfiguration

struct PushcoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "pushcote",
        abstract: "A mock push gateway: push to it as to APNs, and see what the device received.",
        exits: ExitStatus.allCases,
        discussion: """
            All commands except serve, certs, lint, config, exec, replay and extension new can talk to the admin API of a \
            running gateway. Its address is --admin, else $PUSHCOTE_ADMIN, else listen.admin of the configuration (default \
            http://127.0.0.1:8197); its token is --admin-token, else $PUSHCOTE_ADMIN_TOKEN, else admin.token.

            EXAMPLES
              pushcote demo
              pushcote tail
              pushcote setup pushy
              pushcote send phone com.example.app payload.json
              pushcote wait phone --count 3 --timeout 10s
              pushcote inbox phone --json
              pushcote explain 17
            """,
        version: Version.text,
        subcommands: [ServeCommand.self] + ClientCommands.first + [SetupCommand.self, ExecCommand.self]
            + ClientCommands.ofGateway + [ReplayCommand.self, LintCommand.self] + ClientCommands.last)

    init() {}

    static func main() async {
        do {
            var command = try parsed(Array(CommandLine.arguments.dropFirst()))
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

    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        let command: any ParsableCommand
        do {
            command = try parseAsRoot(arguments)
        } catch  where !(error is CommandFailure) {
            let text = message(for: error)
            let misread = negativeValue(in: arguments).flatMap { value in
                text.contains("'\(value.word)'") || text.hasPrefix("Missing") || arguments.first == "clock"
                    ? value.message : nil
            }
            guard let message = unknownCommand(in: arguments) ?? portOption(in: arguments) ?? misread else {
                throw error
            }
            throw CommandFailure(.usage, message)
        }
        // The parser also shows help after `help` and an unknown command, and for `-1h`, which it takes for `-1` and `-h`.
        if type(of: command).configuration.commandName == "help",
            let message = unknownCommand(in: arguments) ?? negativeValue(in: arguments)?.message
        {
            throw CommandFailure(.usage, message)
        }
        return command
    }

    static func portOption(in arguments: [String]) -> String? {
        guard ["serve", "exec"].contains(arguments.first),
            arguments.prefix(while: { $0 != "--" }).contains(where: {
                $0 == "--port" || $0 == "-p" || $0.hasPrefix("--port=")
            })
        else { return nil }
        return "ports are settings, such as --set listen.provider=127.0.0.1:2197 or --set listen.admin=127.0.0.1:8197"
    }

    /// The parser takes a negative number for an option.
    static func negativeValue(in arguments: [String]) -> (word: String, message: String)? {
        let value = arguments.prefix { $0 != "--" }.first { argument in
            argument.hasPrefix("-") && argument.dropFirst().first?.isNumber == true
        }
        return value.map {
            let text = $0.onOneLine
            let hint =
                arguments.first == "clock"
                ? ". The clock never goes back; pushcote clock reset returns to real time" : ""
            return ($0, "'\(text)' is negative; accepted: a positive value, such as \(text.dropFirst())\(hint)")
        }
    }

    static func unknownCommand(in arguments: [String]) -> String? {
        let isHelp = arguments.first == "help"
        var command: any ParsableCommand.Type = PushcoteCommand.self
        for argument in arguments.dropFirst(isHelp ? 1 : 0) {
            let commands = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
            let names = commands.map { $0.configuration.commandName ?? "" }
            guard !names.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
            if let next = names.firstIndex(of: argument) {
                command = commands[next]
                continue
            }
            let path = command == PushcoteCommand.self ? "" : "\(command.configuration.commandName ?? "") "
            let hint = NearestName.of(argument, among: names).map { "did you mean \(path)\($0)?" }
            // It may be an argument of the default command.
            if hint == nil, !isHelp, command.configuration.defaultSubcommand != nil { return nil }
            let remedy = hint ?? "accepted: \(names.joined(separator: ", "))"
            return "unknown command '\(path)\(argument.onOneLine)'; \(remedy)"
        }
        return nil
    }
}
