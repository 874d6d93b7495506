internal import ArgumentParser
internal import DeviceModel
internal import JSON

/// `pushcote fault`: makes a running gateway go wrong, and right again.
struct FaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault",
        abstract: "Apply, list and remove faults.",
        discussion: """
            EXAMPLES
              pushcote fault scenarios
              pushcote fault apply goaway-and-linger
              pushcote fault apply G4 G19
              pushcote fault apply G4 --match device=phone --count 2
              pushcote fault list
              pushcote fault clear

            To write your own rules, use POST /api/v1/faults or the section faults of a fixture.

            \(ExitStatus.paragraph([.ok, .failed, .unreachable, .usage]))
            """,
        subcommands: [List.self, Apply.self, Clear.self, Scenarios.self], defaultSubcommand: List.self)

    /// `pushcote fault list`.
    struct List: AdminCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the rules in order, with match and fire counts.")

        @OptionGroup var admin: AdminOptions

        func perform(with client: AdminClient) async throws -> CommandResult {
            let answer = try await client.send(AdminRequest(.get, ["faults"]))
            if admin.json { return CommandResult(answer.text) }
            return CommandResult(try client.decode(FaultsAnswer.self, from: answer, to: "/faults").text)
        }
    }

    /// `pushcote fault apply`.
    struct Apply: AdminCommand {
        static let configuration = CommandConfiguration(
            commandName: "apply", abstract: "Append the rules of scenarios.")

        @OptionGroup var admin: AdminOptions
        @Option(
            help: ArgumentHelp(
                "Restrict the rules, such as device=phone; repeatable.", valueName: "key=value"))
        var match: [String] = []
        @Option(help: "How many times each rule fires.") var count: Int?
        @Argument(help: "Scenarios by name, or by identifier such as G1.") var scenarios: [String]

        func validate() throws {
            do {
                _ = try Assignments(match)
            } catch {
                throw ValidationError(error.description)
            }
        }

        func perform(with client: AdminClient) async throws -> CommandResult {
            var edits: [String: JSONValue] = [:]
            if !match.isEmpty { edits["match"] = try Assignments(match).json }
            if let count { edits["count"] = .integer(count) }
            let elements = scenarios.map { scenario in
                JSONValue.object(edits.merging(["scenario": .string(scenario)]) { $1 })
            }
            // One request: when one of them is wrong, none is added.
            let body = JSONText.bytes(.object(["faults": .array(elements)]))
            let answer = try await client.send(AdminRequest(.post, ["faults"], body: body))
            if admin.json { return CommandResult(answer.text) }
            return CommandResult(try client.decode(FaultsAnswer.self, from: answer, to: "/faults").text)
        }
    }

    /// `pushcote fault clear`.
    struct Clear: AdminCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear", abstract: "Remove one rule; without a name, all rules.")

        @OptionGroup var admin: AdminOptions
        @Argument(help: "The rule's name.") var name: String?

        func perform(with client: AdminClient) async throws -> CommandResult {
            let answer = try await client.send(AdminRequest(.delete, ["faults"] + [name].compactMap(\.self)))
            if admin.json { return CommandResult(answer.text) }
            let removed = try client.decode(RemovedAnswer.self, from: answer, to: "/faults").removed
            return CommandResult(removed == 1 ? "1 rule removed" : "\(removed) rules removed")
        }
    }

    /// `pushcote fault scenarios`.
    struct Scenarios: AdminCommand {
        static let configuration = CommandConfiguration(
            commandName: "scenarios", abstract: "List all scenarios.")

        @OptionGroup var admin: AdminOptions

        func perform(with client: AdminClient) async throws -> CommandResult {
            let answer = try await client.send(AdminRequest(.get, ["fault-scenarios"]))
            if admin.json { return CommandResult(answer.text) }
            let scenarios = try client.decode(ScenariosAnswer.self, from: answer, to: "/fault-scenarios").scenarios
            let rows = scenarios.map { [$0.id ?? "", $0.name, $0.summary] }
            return CommandResult(TextTable(["ID", "NAME", "WHAT HAPPENS"], rows).text)
        }
    }
}

/// Fault rules as the admin API lists them.
private struct FaultsAnswer: Decodable {
    var faults: [FaultAnswer]

    var text: String {
        guard !faults.isEmpty else { return "There are no fault rules." }
        let rows = faults.map { [$0.name.onOneLine, $0.stage, String($0.matched), String($0.fired)] }
        return TextTable(["NAME", "STAGE", "MATCHED", "FIRED"], rows).text
    }
}

/// A fault rule, as far as people are shown it.
private struct FaultAnswer: Decodable {
    var name: String
    var stage: String
    var matched: Int
    var fired: Int
}

/// How many there were.
private struct RemovedAnswer: Decodable {
    var removed: Int
}

/// The scenarios as the admin API lists them.
private struct ScenariosAnswer: Decodable {
    struct Scenario: Decodable {
        var id: String?
        var name: String
        var summary: String
    }

    var scenarios: [Scenario]
}
