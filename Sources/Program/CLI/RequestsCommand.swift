internal import ArgumentParser

struct RequestsCommand: ListCommand {
    static let configuration = CommandConfiguration(
        "requests",
        abstract:
            "List providers' requests with their answers, oldest first, or show one request; with --wait, "
            + "wait for matching requests.", exits: [.ok, .failed, .timedOut, .unreachable, .usage],
        discussion: """
            ID is the notification that the push became. DIAGNOSIS says why a request was rejected and what to change. With a \
            number, shows the request's headers, payload and findings, too. Existing requests count for --wait; --since \
            excludes requests up to a number.

            EXAMPLES
              pushcote requests
              pushcote requests --reason BadDeviceToken
              pushcote requests --status 403 --follow
              pushcote requests --reason BadDeviceToken --since 17 --wait 10s
              pushcote requests 18
              pushcote requests --json | jq '.requests[].diagnosis.message'
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The request's number; without it, all requests.") var number: UInt64?

    @Option(help: ArgumentHelp("Only this reason, such as BadDeviceToken.", valueName: "reason")) var reason: String?

    @Option(
        help: ArgumentHelp("Only this status, such as 403; none for requests without an answer.", valueName: "status"))
    var status: String?

    @Option(help: ArgumentHelp("Only requests for this device.", valueName: "device")) var device: String?

    @Option(help: ArgumentHelp("Only this topic.", valueName: "topic")) var topic: String?

    @Option(
        help: ArgumentHelp("Only requests of providers (provider), or only direct pushes (hand).", valueName: "source"))
    var source: String?

    @Option(help: ArgumentHelp("Only requests for which this fault rule fired.", valueName: "name")) var fault: String?

    @Option(help: ArgumentHelp("Only requests of this connection.", valueName: "number")) var connection: UInt32?

    @Option(help: ArgumentHelp("Only requests after this number.", valueName: "number")) var since: UInt64?

    @OptionGroup var options: ListOptions

    @Flag(help: "Print new requests as they arrive.") var follow = false

    @OptionGroup var waits: WaitOptions

    static let member = "requests"
    static let paging = Paging.newestFirst
    static let columns = [
        Column("NUMBER", "number"), Column("RECEIVED", "receivedAt"), Column("STATUS", "status", or: "none"),
        Column("REASON", "reason", or: "-"), Column("TYPE", "pushType", or: "-"), Column("TOPIC", "topic", or: "-"),
        Column("ID", "notification", or: "-"),
        Column("DIAGNOSIS") { $0.diagnosis.message.word ?? $0.fault.word.map { "fault \($0)" } },
    ]
    static let nothing = "No request matches."
    var maximum: Int? { options.maximum }
    var waiting: WaitOptions? { waits }
    var element: String? { number.map { String($0) } }

    var call: APICall {
        APICall(
            .get, ["requests"],
            query: [
                ("status", status), ("reason", reason), ("fault", fault),
                ("connection", connection.map { String($0) }), ("device", device), ("topic", topic),
                ("source", source),
            ])
    }
}
