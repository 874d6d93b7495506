internal import ArgumentParser

struct EventsCommand: ListCommand {
    static let configuration = CommandConfiguration(
        "events", abstract: "List a device's events, oldest first; with --wait, wait for matching events.",
        exits: [.ok, .failed, .timedOut, .unreachable, .usage],
        discussion: """
            EXAMPLES
              pushcote events phone
              pushcote events phone --kind banner --kind sound --since 17
              pushcote events phone --kind summaryDelivered --wait 10s
              pushcote events phone --follow
              pushcote events phone --notification 3 --json | jq '.events[].event'
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name.") var device: String

    @Option(help: ArgumentHelp("Only this kind, such as banner; repeatable.", valueName: "kind"))
    var kind: [String] = []

    @Option(help: ArgumentHelp("Only events of this notification.", valueName: "id")) var notification: UInt64?

    @Option(help: ArgumentHelp("Only events after this number.", valueName: "number")) var since: UInt64?

    @OptionGroup var options: ListOptions

    @Flag(help: "Print new events as they arrive.") var follow = false

    @OptionGroup var waits: WaitOptions

    static let member = "events"
    static let paging = Paging.awaitable
    static let columns = [
        Column("NUMBER", "number"), Column("AT", "at"), Column("EVENT", "event"), Column("ID", "notification", or: "-"),
        Column("APP", "app", or: "-"), Column("DETAILS") { $0.details.json?.cell.onOneLine },
    ]
    static let nothing = "No event matches."
    var maximum: Int? { options.maximum }
    var waiting: WaitOptions? { waits }

    var call: APICall {
        APICall(
            .get, ["devices", device, "events"],
            query: [
                ("kind", kind.isEmpty ? nil : kind.joined(separator: ",")),
                ("notification", notification.map { String($0) }),
            ])
    }
}
