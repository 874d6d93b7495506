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
        static let columns = [
            Column("NAME", "name"), Column("STAGE", "stage"), Column("MATCHED", "matched"), Column("FIRED", "fired"),
        ]
        static let nothing = "There are no fault rules."
    }

    struct Apply: CallCommand {
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

        /// A single request, so that an invalid fault adds none.
        func request() throws -> APICall {
            let edits: JSONValue = [
                "match": match.isEmpty ? nil : try matched, "count": count.map { .integer($0) },
            ]
            let elements = scenarios.map { edits.adding(["scenario": .string($0)]) }
            return APICall(.post, ["faults"], json: ["faults": .array(elements)])
        }

        func words(_ page: Answer) -> String { List.table(page.faults.elements) }
    }

    struct Clear: RemovalCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear", abstract: "Remove one rule; without a name, all rules.",
            discussion: "EXAMPLES\n  pushcote fault clear\n  pushcote fault clear goaway-and-linger")

        @OptionGroup var admin: AdminOptions
        @Argument(help: "The rule's name.") var name: String?

        func request() -> APICall { APICall(.delete, ["faults"] + [name].compactMap(\.self)) }

        func words(_ answer: Answer) -> String { "\(answer.removed.counted("rule")) removed" }

        var missing: String? { name.map { "there is no fault rule '\($0.onOneLine)'; pushcote fault list shows them" } }
    }

    struct Scenarios: ListCommand {
        static let configuration = CommandConfiguration(
            commandName: "scenarios", abstract: "List all scenarios.",
            discussion: "EXAMPLES\n  pushcote fault scenarios --json | jq '.scenarios[].name'")

        @OptionGroup var admin: AdminOptions

        static let member = "scenarios"
        static let columns = [Column("ID", "id"), Column("NAME", "name"), Column("WHAT HAPPENS", "summary")]
        static let nothing = "There are no scenarios."
        var call: APICall { APICall(.get, ["fault-scenarios"]) }
    }
}
