internal import ArgumentParser
internal import JSON

struct LocalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "local",
        abstract: "Schedule, list and remove a device's local notifications, and move the device.",
        discussion: """
            EXAMPLES
              pushcote local add phone reminder --app com.example.app --body "Leave at nine." --in 30m
              pushcote local add phone daily --app com.example.app --body "Stand up" --on hour=9 --repeats
              pushcote local add phone home --app com.example.app --body "Welcome" --region home
              pushcote local list phone
              pushcote local move phone --region home
              pushcote local remove phone --app com.example.app
            """,
        subcommands: [List.self, Add.self, Remove.self, Move.self])

    struct List: ListCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List pending local notifications.",
            discussion: "EXAMPLES\n  pushcote local list phone --json | jq '.localNotifications[].nextTriggerDate'")

        @OptionGroup var admin: AdminOptions
        @Argument(help: "The device's name.") var device: String

        static let member = "localNotifications"
        static let columns = [
            Column("APP", "app"), Column("IDENTIFIER", "identifier"),
            Column("FIRES", "nextTriggerDate", "trigger.region.identifier"),
            Column("TEXT") { $0.content.title.line.ifAny ?? $0.content.body.line },
        ]
        static let nothing = "No local notification is pending."
        var call: APICall { APICall(.get, ["devices", device, "local-notifications"]) }
    }

    struct Add: CallCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Schedule a local notification; without --in, --on or --region it is delivered at once.",
            discussion: "EXAMPLES\n  pushcote local add phone reminder --app com.example.app --body Now")

        @OptionGroup var admin: AdminOptions
        @Argument(help: "The device's name.") var device: String
        @Argument(help: "The request's identifier.") var identifier: String
        @Option(help: ArgumentHelp("The app.", valueName: "bundle id")) var app: String
        @Option(help: "The title.") var title: String?
        @Option(help: "The text.") var body: String?
        @Option(help: ArgumentHelp("Fire after this time.", valueName: "duration")) var `in`: Duration?
        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp("Fire when the date matches, such as hour=9 minute=30.", valueName: "key=value"))
        var on: [String] = []
        @Option(
            help: ArgumentHelp(
                "Fire when the device enters this region; local move enters it.", valueName: "identifier")) var region:
            String?
        @Flag(help: "Fire repeatedly.") var repeats = false

        private var trigger: JSONValue? {
            get throws {
                var trigger: JSONObject = ["repeats": .bool(repeats)]
                if let duration = `in` {
                    trigger["type"] = .string("timeInterval")
                    trigger["timeInterval"] = .number(duration / .seconds(1))
                }
                if !on.isEmpty {
                    trigger["type"] = .string("calendar")
                    trigger["dateComponents"] = try JSONValue(assignments: on, example: "hour=9")
                }
                if let region {
                    trigger["type"] = .string("location")
                    trigger["region"] = ["identifier": .string(region)]
                }
                return trigger["type"] == nil ? nil : .object(trigger)
            }
        }

        func validate() throws {
            guard [`in` != nil, !on.isEmpty, region != nil].count(where: \.self) < 2 else {
                throw ValidationError("--in, --on and --region exclude each other")
            }
            let trigger = try trigger
            guard !repeats || trigger != nil else {
                throw ValidationError("--repeats needs --in, --on or --region")
            }
        }

        func request() throws -> APICall {
            let request: JSONValue = [
                "app": .string(app), "identifier": .string(identifier),
                "content": ["title": title.map { .string($0) }, "body": body.map { .string($0) }],
                "trigger": try trigger,
            ]
            return APICall(.post, ["devices", device, "local-notifications"], json: request)
        }

        func words(_ answer: Answer) -> String {
            let findings = answer.findings.elements.map(\.finding)
            guard findings.isEmpty else { return findings.joined(separator: "\n") }
            return answer.notification.word.map { "Delivered as notification \($0)." }
                ?? answer.nextTriggerDate.word.map { "Fires at \($0)." } ?? "Scheduled."
        }
    }

    struct Remove: RemovalCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove pending local notifications: one by its identifier, those of an app, or all.",
            discussion: "EXAMPLES\n  pushcote local remove phone --app com.example.app --identifier reminder")

        @OptionGroup var admin: AdminOptions
        @Argument(help: "The device's name.") var device: String
        @Option(help: ArgumentHelp("The app.", valueName: "bundle id")) var app: String?
        @Option(help: "The request's identifier; needs --app.") var identifier: String?

        func request() -> APICall {
            APICall(
                .delete, ["devices", device, "local-notifications"], query: [("app", app), ("identifier", identifier)])
        }

        func words(_ answer: Answer) -> String { "\(answer.removed.line) removed" }

        var missing: String? {
            identifier.map { "no notification '\($0.onOneLine)' is pending; pushcote local list \(device) shows them" }
        }
    }

    struct Move: CallCommand {
        static let configuration = CommandConfiguration(
            commandName: "move",
            abstract: "Move the device to a position or into regions; without options, out of all regions.",
            discussion: "EXAMPLES\n  pushcote local move phone --latitude 35.68 --longitude 139.76")

        @OptionGroup var admin: AdminOptions
        @Argument(help: "The device's name.") var device: String
        @Option(help: "Degrees north.") var latitude: Double?
        @Option(help: "Degrees east.") var longitude: Double?
        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp("Regions that the device is in, regardless of its position.", valueName: "identifier"))
        var region: [String] = []

        func request() -> APICall {
            APICall(
                .put, ["devices", device, "location"],
                json: [
                    "latitude": latitude.map { .number($0) }, "longitude": longitude.map { .number($0) },
                    "regions": .strings(region),
                ])
        }

        func words(_: Answer) -> String { "Moved." }
    }
}
