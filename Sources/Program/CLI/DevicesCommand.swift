internal import APNs
internal import ArgumentParser
internal import Clients
internal import JSON

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "devices", abstract: "List, create and delete devices.",
        usage: "pushcote devices [<device>] [options]\npushcote devices <subcommand>",
        discussion: """
            EXAMPLES
              pushcote devices
              pushcote devices phone --json | jq -r '.registrations[0].token'
              pushcote devices create phone --app com.example.app
              pushcote devices generate 1000 --app com.example.app
              pushcote devices delete phone
            """,
        subcommands: [List.self, Create.self, Generate.self, Delete.self], defaultSubcommand: List.self)

    struct List: ListCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the devices, or one of them, with their tokens.",
            discussion: "EXAMPLES\n  pushcote devices\n  pushcote devices phone\n  pushcote devices --all --json")

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The device's name; without it, all devices.") var device: String?

        @OptionGroup var options: ListOptions

        static let member = "devices"
        static let paging = Paging.named
        static let columns = [
            Column("DEVICE", "name"), Column("INBOX", "notificationCount"), Column("TOPIC", "topic"),
            Column("ENVIRONMENT", "environment"), Column("KIND", "kind"), Column("STATUS", "status"),
            Column("TOKEN", "token"),
        ]
        static let nothing = "There are no devices yet."
        var maximum: Int? { options.maximum }
        var element: String? { device }

        func perform(with client: AdminClient) async throws -> CommandResult {
            guard let device else { return try await list(with: client) }
            return try await print(APICall(.get, ["devices", device]), with: client) { Self.table([$0]) }
        }

        /// One row per registration; a device without registrations has one row.
        static func rows(_ device: Answer) -> [[String]] {
            let registrations = device.registrations.elements
            guard !registrations.isEmpty else { return [row(device)] }
            return registrations.map { row(Answer($0.json?.adding(device.json ?? [:]))) }
        }
    }

    struct Create: AdminCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create a device, or reset one, and print its device tokens.",
            discussion: """
                An existing device gets the conditions of a new one. Its active registrations become those given; without \
                --app, they stay. Keys are those that pushcote device shows.

                EXAMPLES
                  pushcote devices create phone --app com.example.app
                  pushcote devices create tablet --app com.example.app --environment production timeZone=Asia/Tokyo
                """)

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The device's name.") var device: String

        @Argument(help: ArgumentHelp("Conditions of the device.", valueName: "key=value")) var conditions: [String] = []

        @Option(
            help: ArgumentHelp("An app to install: the topic of a registration; repeatable.", valueName: "bundle id"))
        var app: [String] = []

        @Option(help: ArgumentHelp("The environment of the device tokens.", valueName: "environment"))
        var environment: APNsEnvironment?

        private var members: JSONValue {
            get throws { try JSONValue(assignments: conditions, example: "isLocked=false") }
        }

        func validate() throws { _ = try members }

        func perform(with client: AdminClient) async throws -> CommandResult {
            let registrations = app.map { topic -> JSONValue in
                ["topic": .string(topic), "environment": environment.map { .string($0.rawValue) }]
            }
            let body = try members.adding(["registrations": app.isEmpty ? nil : .array(registrations)])
            let call = APICall(.put, ["devices", device], json: body)
            let answer = try await client.send(call)
            var result = CommandResult(
                admin.json ? answer.text : List.table([try client.read(answer, to: call)]))
            if answer.status == 200 {
                result.remark =
                    "The device '\(device.onOneLine)' existed: it has the conditions of a new device now, and these tokens. "
                    + "pushcote device changes single conditions."
            }
            return result
        }
    }

    struct Delete: RemovalCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a device with its inbox; its tokens become unknown.",
            discussion: "EXAMPLES\n  pushcote devices delete phone\n  pushcote devices delete --prefix fleet-")

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The device's name.") var device: String?

        @Option(help: "Delete all devices whose names begin with this.") var prefix: String?

        func validate() throws {
            guard (device == nil) != (prefix == nil) else {
                throw ValidationError("give either the name of a device or --prefix")
            }
        }

        func request() -> APICall {
            APICall(
                .delete, ["devices"] + [device].compactMap(\.self), query: [("prefix", prefix)], timeout: .seconds(600))
        }

        func words(_ answer: Answer) -> String { "\(answer.removed.counted("device")) removed" }

        var missing: String? { device.map(AdminClient.noDevice) }
    }
}

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

        func words(_ fleet: Answer) -> String {
            let lines = zip(fleet.conditions.elements, part).map { "\($0.count.line) of them: \($1.onOneLine)" }
            let all = "\(fleet.count.line) devices created: \(fleet.first.line) to \(fleet.last.line)"
            return ([all] + lines).joined(separator: "\n")
        }
    }
}
