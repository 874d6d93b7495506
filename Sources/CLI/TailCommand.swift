internal import ArgumentParser
internal import JSON

struct TailCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "tail", abstract: "Print pushes as they come, one line each, until the gateway stops.",
        exits: [.failed, .unreachable, .usage],
        discussion: """
            A line has the status, what the device made of the push or why it was rejected, and the number of the \
            notification (pushcote explain) or of the rejected request (pushcote requests). With --json, each line is the \
            request as in GET /requests.

            EXAMPLES
              pushcote tail
              pushcote tail --last 10
              pushcote tail --json | jq -r '.diagnosis.message // empty'
            """)

    @OptionGroup var admin: AdminOptions

    @Option(help: ArgumentHelp("Begin with this many earlier pushes.", valueName: "number")) var last = 0

    /// Imperceptible to a person.
    private static let interval = Duration.milliseconds(250)

    func perform(with client: AdminClient) async throws -> CommandResult {
        var next = "0"
        var requests = try await read(&next, with: client).suffix(last)
        while true {
            for request in requests {
                StandardStreams.write(admin.json ? request.text : request["summary"]?.word.onOneLine ?? "")
            }
            guard try await client.pause(Self.interval) else { return .stopping() }
            requests = try await read(&next, with: client)[...]
        }
    }

    /// Requests after `next`, direct pushes included; sets `next` to the newest number.
    private func read(_ next: inout String, with client: AdminClient) async throws -> [JSONValue] {
        var requests: [JSONValue] = []
        while true {
            let call = APICall(.get, ["requests"], query: [("since", next), ("limit", "1000")])
            let page: JSONValue = try await client.ask(call)
            requests += page["requests"]?.elements ?? []
            next = page["next"]?.word ?? next
            guard page["hasMore"] == .bool(true) else { return requests }
        }
    }
}
