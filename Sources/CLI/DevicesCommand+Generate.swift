internal import APNs
internal import AdminAPI
internal import ArgumentParser
internal import JSON

extension DevicesCommand {
    struct Generate: CallCommand {
        static let configuration = CommandConfiguration(
            commandName: "generate", abstract: "Create many devices, all or none.",
            discussion: """
                The devices are named PREFIX-000001 and so on, and their tokens follow from the names (docs/admin-api.md). \
                Each --part gives a share of them conditions, as pushcote device shows them; a device is in one part, and \
                the seed decides in which.

                EXAMPLES
                  pushcote devices generate 100000 --app com.example.app
                  pushcote devices generate 1000 --app com.example.app --seed 7 --part '0.1 isOnline=false'
                  pushcote devices delete --prefix fleet-
                """)

        @OptionGroup var admin: AdminOptions

        @Argument(help: "How many devices.") var count: Int

        @Option(help: "The prefix of their names. (default: fleet)") var prefix: String?

        @Option(
            help: ArgumentHelp("An app to install: the topic of a token; repeatable.", valueName: "bundle id"))
        var app: [String] = []

        @Option(help: ArgumentHelp("The environment of the device tokens.", valueName: "environment"))
        var environment: APNsEnvironment?

        @Option(help: ArgumentHelp("The seed that assigns devices to parts. (default: the gateway's)"))
        var seed: Int?

        @Option(
            help: ArgumentHelp(
                "A share of the devices, 0 to 1, and its conditions; repeatable.", valueName: "share key=value …"))
        var part: [String] = []

        private var parts: [JSONValue] {
            get throws {
                try part.map { text in
                    let words = text.split(separator: " ").map(String.init)
                    guard let share = words.first.flatMap({ Double($0) }), (0...1).contains(share) else {
                        throw ValidationError(
                            "--part '\(text)' has no share; accepted: such as '0.1 isOnline=false'")
                    }
                    return try JSONValue(assignments: words.dropFirst(), example: "isOnline=false")
                        .adding(["share": .number(share)])
                }
            }
        }

        func validate() throws { _ = try parts }

        func request() throws -> APICall {
            let fleet: JSONValue = [
                "count": .integer(count), "prefix": prefix.map { .string($0) }, "seed": seed.map { .integer($0) },
                "apps": .strings(app), "environment": environment.map { .string($0.rawValue) },
                "conditions": .array(try parts),
            ]
            return APICall(.post, ["devices", "generate"], json: fleet, timeout: .seconds(600))
        }

        func words(_ fleet: FleetAnswer) -> String {
            let lines = zip(fleet.conditions, part).map { "\($0.count) of them: \($1.onOneLine)" }
            let all = "\(fleet.count) devices created: \(fleet.first) to \(fleet.last)"
            return ([all.onOneLine] + lines).joined(separator: "\n")
        }
    }
}
