internal import ArgumentParser

struct TailCommand: ListCommand {
    static let configuration = CommandConfiguration(
        "tail", abstract: "Print pushes as they arrive, one line each, until the gateway stops.",
        exits: [.failed, .unreachable, .usage],
        discussion: """
            A line has the status, the outcome on the device or the reason of the rejection, and the number of the \
            notification (pushcote explain) or of the rejected request (pushcote requests). With --json, each line is the \
            request as in GET /requests.

            EXAMPLES
              pushcote tail
              pushcote tail --last 10
              pushcote tail --json | jq -r '.diagnosis.message // empty'
            """)

    @OptionGroup var admin: AdminOptions

    @Option(help: ArgumentHelp("Begin with this many earlier pushes.", valueName: "number")) var last = 0

    func validate() throws {
        guard last >= 0 else { throw ValidationError("--last is \(last); accepted: 0 or more") }
    }

    static let member = "requests"
    static let paging = Paging.newestFirst
    static let columns = [Column("", "summary")]
    static let nothing = ""
    var maximum: Int? { last }
    var follow: Bool { true }
}
