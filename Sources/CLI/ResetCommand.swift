internal import ArgumentParser
internal import JSON

struct ResetCommand: CallCommand {
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

    func request() -> APICall { APICall(.post, ["reset"], json: ["keep": .strings(keep)]) }

    func words(_: JSONValue) -> String {
        "reset" + (keep.isEmpty ? "" : "; kept \(keep.joined(separator: ", "))")
    }
}
