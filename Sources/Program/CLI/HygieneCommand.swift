internal import ArgumentParser
internal import DeviceModel

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
        let answer = try client.read(response, to: call)
        let failing = Finding.Severity.allCases.drop { $0 != failOn }.map(\.rawValue)
        let findings = answer.findings.elements
        let status: ExitStatus = findings.contains { failing.contains($0.severity.line) } ? .failed : .ok
        guard !admin.json else { return CommandResult(response.text, status: status) }
        return CommandResult(
            findings.map(\.habit).joined(separator: "\n"), remark: answer.hygieneRemark, status: status)
    }
}

extension Finding.Severity: ExpressibleByArgument {}

extension Answer {
    /// In compiler style, then one line each for the occurrences, the cost, Apple's words and a remedy.
    fileprivate var habit: String {
        let who = self.who
        let client = [who.remoteAddress.word, who.userAgent.word].compactMap(\.self).joined(separator: " ")
        let parts = [
            client.isEmpty ? "unknown client" : client, who.keyID.word.map { "key \($0)" }, who.topic.word,
            who.token.word.map { "token \($0.prefix(8))…" },
        ]
        let examples = [self.exampleRequests.list("request"), self.exampleConnections.list("connection")]
        let place = self.path.word.map { "\($0): " } ?? ""
        let lines = [
            "\(Self.joined(parts)): \(self.severity.line): \(place)\(self.message.line) [\(self.id.line)]",
            "    \(self.count.int == 1 ? "once" : "\(self.count.line) times"): \(Self.joined(examples))",
            self.cost.word.map { "    costs: \($0)" }, self.source.word.map { "    Apple: \($0)" },
            self.fix.word.map { "    instead: \($0)" },
        ]
        return lines.compactMap(\.self).joined(separator: "\n")
    }

    private static func joined(_ parts: [String?]) -> String { parts.compactMap(\.self).joined(separator: ", ") }

    private func list(_ noun: String) -> String? {
        elements.isEmpty ? nil : "\(noun)\(elements.count == 1 ? "" : "s") \(joined(", "))"
    }

    fileprivate var hygieneRemark: String {
        let missing = ["requests", "connections"].map { ($0, self[$0].missing.int ?? 0) }.filter { $0.1 > 0 }
            .map { "\($1) \($0)" }.joined(separator: " and ")
        let gap = missing.isEmpty ? "" : "; missing are \(missing): evicted, cleared, or too many to examine"
        let findings = self.findings.elements.count
        let count = findings == 0 ? "No findings" : findings.counted("finding")
        let examined = ["request", "connection"].map { self[$0 + "s"].examined.counted($0) }.joined(separator: " and ")
        return "\(count) in \(examined)\(gap)."
    }
}
