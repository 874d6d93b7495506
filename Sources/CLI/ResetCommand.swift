internal import ArgumentParser
internal import JSON

struct ResetCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "reset", abstract: "Empty all inboxes and the request log; remove devices, apps and fault rules.",
        discussion: """
            Keys and connections stay. Unless devices are kept, the clock follows real time again.

            EXAMPLES
              pushcote reset
              pushcote reset --keep devices --keep apps
            """)

    @OptionGroup var admin: AdminOptions

    @Option(help: ArgumentHelp("What to keep: devices, apps, requests or faults; repeatable.", valueName: "noun"))
    var keep: [String] = []

    func perform(with client: AdminClient) async throws -> CommandResult {
        let body: JSONValue = ["keep": .strings(keep)]
        return try await print(APICall(.post, ["reset"], body: body.bytes), with: client) { (_: JSONValue) in
            CommandResult("reset" + (keep.isEmpty ? "" : "; kept \(keep.joined(separator: ", "))"))
        }
    }
}
