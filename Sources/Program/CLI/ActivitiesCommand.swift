internal import ArgumentParser

struct ActivitiesCommand: ListCommand {
    static let configuration = CommandConfiguration(
        "activities", abstract: "List a device's Live Activities, or show one with its tokens and latest updates.",
        exits: [.ok, .failed, .timedOut, .unreachable, .usage],
        discussion: """
            EXAMPLES
              pushcote activities phone
              pushcote activities phone --state active --wait 5s
              pushcote activities phone --json | jq -r '.activities[0].push.token'
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name.") var device: String
    @Argument(help: "The activity's id; without it, all activities.") var element: String?

    @Option(help: ArgumentHelp("Only this app's.", valueName: "bundle id")) var app: String?
    @Option(help: ArgumentHelp("Only in this state: pending, active, stale, ended or dismissed.", valueName: "state"))
    var state: String?
    @OptionGroup var options: WaitOptions

    static let paging = Paging.whole
    static let member = "activities"
    static let columns = [
        Column("ACTIVITY", "id"), Column("APP", "app"), Column("TYPE", "type"), Column("STATE", "state"),
        Column("STARTED", "startedAt"),
        Column("PUSH") { $0.push.channel.word.map { "channel \($0)" } ?? $0.push.kind.word },
        Column("TEXT") { ([$0.title] + $0.lines.elements).map(\.line).joined(separator: " | ") },
    ]
    static let nothing = "No activity matches."
    var waiting: WaitOptions? { options }
    var call: APICall {
        APICall(.get, ["devices", device, "activities"], query: [("app", app), ("state", state)])
    }
}
