package import ArgumentParser
internal import Fields
internal import FoundationEssentials
internal import PushcoteConfiguration

/// A command that sends requests to a running gateway's admin API.
package protocol AdminCommand: AsyncParsableCommand {
    var admin: AdminOptions { get }

    /// - Throws: `AdminClientError` or `CommandFailure`.
    func perform(with client: AdminClient) async throws -> CommandResult
}

extension AdminCommand {
    package func run() async throws {
        let result: CommandResult
        do {
            result = try await perform(with: admin.client)
        } catch let error as AdminClientError {
            throw CommandFailure(error)
        }
        try result.end()
    }

    /// Prints the answer unchanged with --json, otherwise as `words` formats it.
    func print(
        _ call: APICall, with client: AdminClient, _ words: (Answer) -> String
    ) async throws -> CommandResult {
        let answer = try await client.send(call)
        return CommandResult(admin.json ? answer.text : words(try client.read(answer, to: call)))
    }
}

/// A command that sends one request and prints the answer.
protocol CallCommand: AdminCommand {
    func request() throws -> APICall
    /// The answer for people.
    func words(_ answer: Answer) -> String
}

extension CallCommand {
    func perform(with client: AdminClient) async throws -> CommandResult {
        try await print(try request(), with: client, words)
    }
}

/// A command that removes what it names, and fails if that does not exist.
protocol RemovalCommand: CallCommand {
    /// What to say when nothing was removed; nil if the command named nothing.
    var missing: String? { get }
}

extension RemovalCommand {
    func perform(with client: AdminClient) async throws -> CommandResult {
        let call = try request()
        let answer = try await client.send(call)
        let removed = try client.read(answer, to: call)
        guard removed.removed.int == 0, let missing else {
            return CommandResult(admin.json ? answer.text : words(removed))
        }
        return CommandResult(admin.json ? answer.text : "", remark: missing, status: .failed)
    }
}

extension CommandFailure {
    package init(_ error: AdminClientError) {
        let status: ExitStatus =
            switch error {
            case .unreachable, .noAnswer: .unreachable
            case .timedOut: .timedOut
            case .tooLong, .refused, .unexpectedAnswer: .failed
            }
        self.init(status, error.description)
    }
}

package struct AdminOptions: ParsableArguments {
    @Option(
        name: .customLong("admin"),
        help: ArgumentHelp(
            "The admin API. (default: $PUSHCOTE_ADMIN, else listen.admin of the configuration)", valueName: "url"),
        transform: { try AdminAddress($0) })
    var address: AdminAddress?

    @Option(
        name: .customLong("admin-token"),
        help: ArgumentHelp(
            "The admin API's token. (default: $PUSHCOTE_ADMIN_TOKEN, else admin.token of the configuration)",
            valueName: "token"))
    var token: String?

    @Flag(help: "Print the answer as JSON.") package var json = false

    package init() {}

    /// - Throws: `CommandFailure` if PUSHCOTE_ADMIN is not an address.
    var client: AdminClient {
        get throws(CommandFailure) {
            try AdminClient.found(
                at: address, token: token, by: ConfigurationSources(environment: ProcessInfo.processInfo.environment))
        }
    }
}

extension AdminClient {
    /// Looks in the options, then the environment, then the configuration.
    /// - Throws: `CommandFailure` if PUSHCOTE_ADMIN is not an address.
    static func found(
        at address: AdminAddress? = nil, token: String? = nil, by sources: ConfigurationSources
    ) throws(CommandFailure) -> AdminClient {
        let sources = sources.ofClient
        let variables = sources.environment
        let token = token ?? variables["PUSHCOTE_ADMIN_TOKEN"]
        if let address { return AdminClient(address: address, token: token) }
        if let text = variables["PUSHCOTE_ADMIN"] {
            do {
                return AdminClient(address: try AdminAddress(text), token: token)
            } catch {
                throw CommandFailure(.usage, "PUSHCOTE_ADMIN is \"\(text)\"; \(error)")
            }
        }
        let configuration = sources.readableSettings
        let addresses = configuration.listen.admin.compactMap(\.reachable)
        var client = AdminClient(address: addresses.first ?? .standard, token: token ?? configuration.admin.token)
        client.alternatives = Array(addresses.dropFirst())
        return client
    }
}

extension HostPort {
    /// The listener's address from this machine; `nil` if the system chooses the port.
    fileprivate var reachable: AdminAddress? {
        guard port != 0 else { return nil }
        let host = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        return AdminAddress(host: host, port: port)
    }
}
