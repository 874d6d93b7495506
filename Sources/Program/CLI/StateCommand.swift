internal import ArgumentParser
internal import Files
internal import JSON

struct StateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "state", abstract: "Save and restore devices, apps and notifications.",
        discussion: """
            A snapshot has devices, registrations, apps and notifications with their events, but not the clock, keys, \
            webhooks, connections, the request log and the files of service extensions.

            EXAMPLES
              pushcote state save state.json
              pushcote state load state.json
              pushcote state save - | gzip > state.json.gz
            """,
        subcommands: [Save.self, Load.self])

    /// Large snapshots take a while.
    private static let timeout = Duration.seconds(600)

    struct Save: AdminCommand {
        static let configuration = CommandConfiguration(
            commandName: "save", abstract: "Write a snapshot to a file; \"-\" is standard output.",
            discussion: "EXAMPLES\n  pushcote state save state.json")

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The file to write; only its owner may read it.") var file: String

        func perform(with client: AdminClient) async throws -> CommandResult {
            let answer = try await client.send(APICall(.get, ["state"], timeout: StateCommand.timeout))
            return try answer.written(to: file, access: .ownerOnly, asJSON: admin.json)
        }
    }

    struct Load: CallCommand {
        static let configuration = CommandConfiguration(
            commandName: "load", abstract: "Replace the gateway's state with a snapshot; \"-\" is standard input.",
            discussion: "EXAMPLES\n  pushcote state load state.json")

        @OptionGroup var admin: AdminOptions

        @Argument(help: "A file that state save wrote.") var file: String

        func request() throws -> APICall {
            APICall(.put, ["state"], body: try StandardStreams.read(file), timeout: StateCommand.timeout)
        }

        func words(_ answer: Answer) -> String {
            let counts = ["devices", "apps", "notifications"].map { "\(answer[$0].word ?? "0") \($0)" }
            return "Loaded: " + counts.joined(separator: ", ")
        }
    }
}

struct ResetCommand: CallCommand {
    static let configuration = CommandConfiguration(
        "reset", abstract: "Empty all inboxes and the request log; remove devices, apps and fault rules.",
        discussion: """
            Keys, webhooks and connections stay. Unless devices are kept, the clock follows real time again.

            EXAMPLES
              pushcote reset
              pushcote reset --keep devices --keep apps
            """)

    @OptionGroup var admin: AdminOptions

    @Option(help: ArgumentHelp("What to keep: devices, apps, requests or faults; repeatable.", valueName: "noun"))
    var keep: [String] = []

    func request() -> APICall { APICall(.post, ["reset"], json: ["keep": .strings(keep)]) }

    func words(_: Answer) -> String {
        "reset" + (keep.isEmpty ? "" : "; kept \(keep.joined(separator: ", "))")
    }
}
