internal import AdminAPI
internal import ArgumentParser
internal import JSON

struct TailCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Print pushes as they come, one line each, until the gateway stops.",
        discussion: """
            A line has the status, what the device made of the push or why it was rejected, and the number of the \
            notification (pushcote explain) or of the rejected request (pushcote requests). With --json, each line is the \
            request, with the members device and why if it was accepted.

            EXAMPLES
              pushcote tail
              pushcote tail --last 10
              pushcote tail --json | jq -r '.diagnosis.message // empty'

            \(ExitStatus.paragraph([.failed, .unreachable, .usage]))
            """)

    @OptionGroup var admin: AdminOptions

    @Option(help: ArgumentHelp("Begin with this many earlier pushes.", valueName: "number"))
    var last = 0

    /// How often to ask; a person does not notice less.
    private static let interval = Duration.milliseconds(250)

    func perform(with client: AdminClient) async throws -> CommandResult {
        var next = "0"
        var requests = try await read(&next, with: client).suffix(last)
        while true {
            for request in requests { StandardStreams.write(try await line(request, with: client)) }
            guard try await client.pause(Self.interval) else { return .stopping() }
            requests = try await read(&next, with: client)[...]
        }
    }

    /// Every request after a number, direct pushes included; the number becomes that of the newest.
    private func read(_ next: inout String, with client: AdminClient) async throws -> [JSONValue] {
        var requests: [JSONValue] = []
        while true {
            let query: [(name: String, value: String?)] = [("since", next), ("limit", "1000")]
            let page = try await client.ask(APICall(.get, ["requests"], query: query)).1 as JSONValue
            requests += page["requests"]?.elements ?? []
            next = page["next"]?.word ?? next
            guard page["hasMore"] == .bool(true) else { return requests }
        }
    }

    /// As the gateway logs it.
    private func line(_ json: JSONValue, with client: AdminClient) async throws -> String {
        let request = try RequestAnswer(from: JSONValueDecoder(json))
        let status = request.status.map { String($0) } ?? "no answer"
        guard let number = request.notification, request.fault == nil else {
            if admin.json { return json.text }
            let words = [status, request.reason, request.topic].compactMap(\.self).joined(separator: " ")
            let why = request.fault.map { "fault rule \($0)" } ?? request.diagnosis?.message ?? "no diagnosis"
            return "\(words) · \(why) (request \(request.number))".onOneLine
        }
        // It may have been cleared or evicted meanwhile.
        let outcome = try? await client.outcome(of: number)
        let why = outcome?.why ?? "Cleared."
        let device = outcome?.notification.device
        if admin.json {
            return json.adding(["device": device.map { .string($0) }, "why": .string(why)]).text
        }
        let words = [status, request.pushType, request.topic].compactMap(\.self).joined(separator: " ")
        let sentence = why.hasSuffix(".") ? String(why.dropLast()) : why
        return "\(words) → \(device ?? "?") · \(sentence) (notification \(number))".onOneLine
    }
}
