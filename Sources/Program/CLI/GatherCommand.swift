internal import ArgumentParser
internal import FoundationEssentials
internal import JSON
internal import PushcoteConfiguration

/// A list that `gather` can merge.
protocol GatherableList: ListCommand {
    /// The member that orders the merged list.
    static var mergeKey: String { get }
}

extension InboxCommand: GatherableList { static let mergeKey = "receivedAt" }
extension RequestsCommand: GatherableList { static let mergeKey = "receivedAt" }
extension DevicesCommand.List: GatherableList { static let mergeKey = "name" }

/// The root for parsing a list, so that messages name the list's command.
private struct GatheredLists: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushcote", version: Version.text,
        subcommands: [InboxCommand.self, RequestsCommand.self, DevicesCommand.self])
}

struct GatherCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "gather", abstract: "List the notifications, requests or devices of several gateways as one list.",
        usage: "pushcote gather --from <url> [--from <url> ...] inbox|requests|devices [options]",
        discussion: """
            GATEWAY names the gateway that the row comes from. Numbers are unique only within one gateway. Notifications and requests are in the \
            order of their time, devices in the order of their names; the gateways' clocks may differ, so the order across \
            gateways is approximate. Every gateway must answer. The options are those of pushcote inbox, requests and \
            devices, without --admin, --follow and --wait.

            EXAMPLES
              pushcote gather --from one:8197 --from two:8197 inbox --text "is ready"
              pushcote gather --from one:8197 --from two:8197 requests --status 410
              pushcote gather --from one:8197 --from two:8197 devices --all --json
            """)

    @Option(
        name: .customLong("from"), help: ArgumentHelp("A gateway's admin API; repeatable.", valueName: "url"),
        transform: { try AdminAddress($0) })
    var gateways: [AdminAddress]

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The list: inbox, requests or devices, with its options.", valueName: "list"))
    var list: [String]

    func run() async throws {
        guard ["inbox", "requests", "devices"].contains(list[0]),
            let command = try GatheredLists.parseAsRoot(list) as? any GatherableList
        else {
            let given = list.joined(separator: " ").onOneLine
            throw CommandFailure(.usage, "gather cannot merge '\(given)'; accepted: inbox, requests or devices")
        }
        try await merged(command).end()
    }

    private func merged<List: GatherableList>(_ command: List) async throws -> CommandResult {
        guard command.admin.address == nil else {
            throw CommandFailure(.usage, "--admin names one gateway; name each gateway with --from")
        }
        guard !command.follow, command.waiting?.wait == nil, command.element == nil else {
            throw CommandFailure(
                .usage, "gather merges whole lists; leave out --follow, --wait, and the number or name of one element")
        }
        let sources = ConfigurationSources(environment: ProcessInfo.processInfo.environment)
        var merged = Listing<List>(maximum: command.maximum, cursor: nil)
        for address in gateways {
            let client = try AdminClient.found(at: address, token: command.admin.token, by: sources)
            do {
                let listing = try await command.listing(with: client)
                merged.merge(listing.marked("gateway", address.description), by: List.mergeKey)
            } catch let error as AdminClientError {
                throw CommandFailure(error, gatheringFrom: address)
            }
        }
        if command.admin.json {
            return CommandResult(JSONValue.object([List.member: merged.list]).text, remark: merged.remark)
        }
        let rows = merged.elements.flatMap { element in List.rows(element).map { [element.gateway.line] + $0 } }
        let output = rows.isEmpty ? List.nothing : TextTable(["GATEWAY"] + List.head, rows).text
        return CommandResult(output, remark: merged.remark)
    }
}

extension CommandFailure {
    /// The general message for an unreachable gateway names --admin, which `gather` does not accept.
    fileprivate init(_ error: AdminClientError, gatheringFrom address: AdminAddress) {
        self.init(error)
        if case .unreachable(_, let why) = error {
            message =
                "nothing answers at \(address) (\(why)); gather needs every gateway: start it, or leave out its --from"
        } else if !message.contains(address.description) {
            message = "\(address): \(message)"
        }
    }
}
