internal import APNs
internal import ArgumentParser
internal import JSON

struct ChannelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "channels", abstract: "List, create and delete broadcast channels.",
        usage: "pushcote channels [<channel>] [options]\npushcote channels <subcommand>",
        discussion: """
            EXAMPLES
              pushcote channels
              pushcote channels create com.example.app --store
              pushcote channels dHN0LXNyY2gtY2hubA==
              pushcote channels delete dHN0LXNyY2gtY2hubA==
            """,
        subcommands: [List.self, Create.self, Delete.self], defaultSubcommand: List.self)

    struct List: ListCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the channels, or show one.",
            discussion: "EXAMPLES\n  pushcote channels --app com.example.app\n  pushcote channels --all --json")

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The channel's ID; without it, all channels.") var channel: String?

        @Option(help: ArgumentHelp("Only the channels of an app.", valueName: "bundle id")) var app: String?

        @OptionGroup var options: ListOptions

        static let member = "channels"
        static let paging = Paging.named
        static let columns = [
            Column("CHANNEL", "id"), Column("APP", "app"), Column("ENVIRONMENT", "environment"),
            Column("STORES") { $0.messageStoragePolicy.int == 0 ? "nothing" : "most recent" },
            Column("SUBSCRIBERS", "subscribers"), Column("PUBLISHED", "published"), Column("PENDING", "pending"),
            Column("DELIVERED", "delivered"),
        ]
        static let nothing = "There are no channels yet."
        var maximum: Int? { options.maximum }
        var element: String? { channel }
        var call: APICall { APICall(.get, [Self.member], query: [("app", app)]) }
    }

    struct Create: CallCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create a channel and print its ID.",
            discussion: "EXAMPLES\n  pushcote channels create com.example.app --store --environment production")

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The app's bundle identifier.") var app: String

        @Flag(help: "Store the most recent message for devices that are offline.") var store = false

        @Option(help: "The environment. (default: that of the gateway)") var environment: APNsEnvironment?

        func request() -> APICall {
            APICall(
                .post, ["channels"],
                json: [
                    "app": .string(app), "environment": environment.map { .string($0.rawValue) },
                    "messageStoragePolicy": .integer(store ? 1 : 0),
                ])
        }

        func words(_ channel: Answer) -> String { channel.id.line }
    }

    struct Delete: RemovalCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a channel; its subscribers get no more broadcasts.",
            discussion: "EXAMPLES\n  pushcote channels delete dHN0LXNyY2gtY2hubA==")

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The channel's ID.") var channel: String

        func request() -> APICall { APICall(.delete, ["channels", channel]) }

        func words(_ answer: Answer) -> String { "\(answer.removed.counted("channel")) removed" }

        var missing: String? { "there is no channel '\(channel.onOneLine)'; pushcote channels lists them" }
    }
}
