internal import AdminAPI
internal import ArgumentParser
internal import DeviceModel
internal import Gateway

struct HygieneCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "hygiene", abstract: "Report how providers use APNs: connections, tokens, retries, headers.",
        discussion: """
            Each finding says who does it, how often, with numbers for pushcote requests and pushcote connections, what it \
            costs, and what Apple says. docs/hygiene.md lists the rules; those of pushcote lint follow, for every accepted \
            push. Rules in lint.silenced report nothing.

            Errors make the command fail; --fail-on warning or info makes lesser findings fail, too.

            EXAMPLES
              pushcote hygiene
              pushcote hygiene --fail-on warning
              pushcote hygiene --connection 3 --json
            """)

    @OptionGroup var admin: AdminOptions

    @Option(help: ArgumentHelp("Only requests after this number, and their connections.", valueName: "number"))
    var since: UInt64?

    @Option(help: ArgumentHelp("Only this connection.", valueName: "number")) var connection: UInt32?

    @Option(help: ArgumentHelp("The lowest severity that fails: info, warning or error.", valueName: "severity"))
    var failOn = Finding.Severity.error

    func perform(with client: AdminClient) async throws -> CommandResult {
        let query: APICall.Query = [("since", since.map { String($0) }), ("connection", connection.map { String($0) })]
        let call = APICall(.get, ["hygiene"], query: query)
        let response = try await client.send(call)
        let answer: HygieneAnswer = try client.decode(from: response, to: call)
        let failing = Finding.Severity.allCases.drop { $0 != failOn }
        let status: ExitStatus = answer.findings.contains { failing.contains($0.severity) } ? .failed : .ok
        guard !admin.json else { return CommandResult(response.text, status: status) }
        return CommandResult(
            answer.findings.map(HygieneAnswer.text).joined(separator: "\n"), remark: answer.remark, status: status)
    }
}

extension Finding.Severity: ExpressibleByArgument {}

extension HygieneAnswer {
    /// In compiler style, then one line each for the occurrences, the cost, Apple's words and a remedy.
    fileprivate static func text(_ finding: Finding) -> String {
        let who = finding.who
        let client = [who.remoteAddress, who.userAgent].compactMap(\.self).joined(separator: " ")
        let parts = [
            client.isEmpty ? "unknown client" : client, who.keyID.map { "key \($0)" }, who.topic,
            who.token.map { "token \($0.prefix(8))…" },
        ]
        let examples = [list("request", finding.exampleRequests), list("connection", finding.exampleConnections)]
        let lines = [
            "\(joined(parts)): \(finding.severity): \(finding.path.map { "\($0): " } ?? "")\(finding.message) [\(finding.id)]",
            "    \(finding.count == 1 ? "once" : "\(finding.count) times"): \(joined(examples))",
            finding.cost.map { "    costs: \($0)" }, finding.source.map { "    Apple: \($0)" },
            finding.fix.map { "    instead: \($0)" },
        ]
        return lines.compactMap { $0?.onOneLine }.joined(separator: "\n")
    }

    private static func joined(_ parts: [String?]) -> String { parts.compactMap(\.self).joined(separator: ", ") }

    private static func list(_ noun: String, _ numbers: [some FixedWidthInteger]) -> String? {
        let list = numbers.map { "\($0)" }.joined(separator: ", ")
        return numbers.isEmpty ? nil : "\(noun)\(numbers.count == 1 ? "" : "s") \(list)"
    }

    fileprivate var remark: String {
        let missing = [(requests.missing, "requests"), (connections.missing, "connections")].filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)" }.joined(separator: " and ")
        let gap = missing.isEmpty ? "" : "; missing are \(missing): evicted, cleared, or too many to examine"
        let count = findings.isEmpty ? "No findings" : findings.count.counted("finding")
        let examined = "\(requests.examined.counted("request")) and \(connections.examined.counted("connection"))"
        return "\(count) in \(examined)\(gap)."
    }
}
