internal import AdminAPI
internal import ArgumentParser
internal import JSON

struct FaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "fault", abstract: "Apply, list and remove faults.",
        discussion: """
            EXAMPLES
              pushcote fault scenarios
              pushcote fault apply goaway-and-linger
              pushcote fault apply G4 G19
              pushcote fault apply G4 --match device=phone --count 2
              pushcote fault list
              pushcote fault clear

            To write your own rules, use POST /api/v1/faults or the section faults of a fixture.
            """,
        subcommands: [List.self, Apply.self, Clear.self, Scenarios.self], defaultSubcommand: List.self)

    struct List: ListCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the rules in order, with match and fire counts.",
            discussion: "EXAMPLES\n  pushcote fault list --json | jq '.faults[].name'")

        @OptionGroup var admin: AdminOptions

        static let member = "faults"
        static let head = ["NAME", "STAGE", "MATCHED", "FIRED"]
        static let nothing = "There are no fault rules."

        static func row(_ fault: FaultsAnswer.Fault) -> [String] {
            let words = ["name", "stage"].map { fault.first[$0]?.word.onOneLine ?? "" }
            return words + [String(fault.matched), String(fault.fired)]
        }
    }

    struct Apply: AdminCommand {
        static let configuration = CommandConfiguration(
            commandName: "apply", abstract: "Append the rules of scenarios.",
            discussion: """
                EXAMPLES
                  pushcote fault apply goaway-and-linger
                  pushcote fault apply G4 --match device=phone --count 2
                """)

        @OptionGroup var admin: AdminOptions
        @Option(help: ArgumentHelp("Restrict the rules, such as device=phone; repeatable.", valueName: "key=value"))
        var match: [String] = []
        @Option(help: "How many times each rule fires.") var count: Int?
        @Argument(help: "Scenarios by name, or by identifier such as G1.") var scenarios: [String]

        private var matched: JSONValue {
            get throws { try JSONValue(assignments: match, example: "device=phone") }
        }

        func validate() throws { _ = try matched }

        func perform(with client: AdminClient) async throws -> CommandResult {
            var edits: JSONObject = [:]
            if !match.isEmpty { edits["match"] = try matched }
            if let count { edits["count"] = .integer(count) }
            let elements = scenarios.map { JSONValue.object(edits).adding(["scenario": .string($0)]) }
            // A single request, so that an invalid fault adds none.
            let body = JSONValue.object(["faults": .array(elements)]).bytes
            return try await print(APICall(.post, ["faults"], body: body), with: client) { (page: FaultsAnswer) in
                CommandResult(TextTable(List.head, page.faults.map(List.row)).text)
            }
        }
    }

    struct Clear: AdminCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear", abstract: "Remove one rule; without a name, all rules.",
            discussion: "EXAMPLES\n  pushcote fault clear\n  pushcote fault clear goaway-and-linger")

        @OptionGroup var admin: AdminOptions
        @Argument(help: "The rule's name.") var name: String?

        func perform(with client: AdminClient) async throws -> CommandResult {
            let call = APICall(.delete, ["faults"] + [name].compactMap(\.self))
            return try await print(call, with: client) { (answer: RemovedAnswer) in
                CommandResult("\(answer.removed.counted("rule")) removed")
            }
        }
    }

    struct Scenarios: ListCommand {
        static let configuration = CommandConfiguration(
            commandName: "scenarios", abstract: "List all scenarios.",
            discussion: "EXAMPLES\n  pushcote fault scenarios --json | jq '.scenarios[].name'")

        @OptionGroup var admin: AdminOptions

        static let member = "scenarios"
        static let head = ["ID", "NAME", "WHAT HAPPENS"]
        static let nothing = "There are no scenarios."
        var call: APICall { APICall(.get, ["fault-scenarios"]) }

        static func row(_ scenario: ScenarioAnswer) -> [String] {
            [scenario.id ?? "", scenario.name, scenario.summary]
        }
    }
}
