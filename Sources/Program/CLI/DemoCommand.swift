internal import ArgumentParser
internal import JSON

struct DemoCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "demo", abstract: "Show what a gateway does: three devices, their apps and a day of pushes.",
        discussion: """
            Creates the devices anna, ben and cleo and the apps com.example.mail, com.example.chat and com.example.news, \
            replacing those of the same name. Then pushes through the latest day that is over by 20:10 UTC, on a stopped \
            clock, and prints what each person saw and why. Devices and notifications stay. At the end, the clock is as \
            before.

            EXAMPLES
              pushcote demo
              pushcote demo --live
              pushcote demo --json | jq -r .why
            """)

    @OptionGroup var admin: AdminOptions

    @Flag(help: "Do not change the clock: push now, one push a second.") var live = false

    func perform(with client: AdminClient) async throws -> CommandResult {
        guard live else {
            return end(of: try await play([:], with: client).date.word)
        }
        var next: Int? = 0
        while let step = next {
            next = try await play(["step": .integer(step)], with: client).next.int
            guard try await client.pause(.seconds(1)) else { return .stopping() }
        }
        return end(of: nil)
    }

    private func play(_ body: JSONValue, with client: AdminClient) async throws -> Answer {
        let answer = try await client.ask(APICall(.post, ["demo"], json: body, timeout: .seconds(600)))
        answer.steps.elements.forEach(write)
        return answer
    }

    /// - Parameter date: nil for today.
    private func end(of date: String?) -> CommandResult {
        let day = date.map { " --date \($0)" } ?? ""
        let commands =
            "pushcote screen anna, pushcote day anna\(day), pushcote explain latest, pushcote inbox, pushcote requests"
        let address = admin.address.map { ", each with --admin \($0)" } ?? ""
        return CommandResult(admin.json ? "" : "\nNext: \(commands); pushcote setup for your client\(address).")
    }

    private func write(_ step: Answer) {
        guard !admin.json else {
            let subject = step.notification.json ?? step.request.json
            return subject.map { StandardStreams.write($0.text) } ?? ()
        }
        StandardStreams.write("\n\(step.time.line)  \(step.story.line)")
        for line in lines(of: step) { StandardStreams.write("       " + line) }
    }

    private func lines(of step: Answer) -> [String] {
        let (seen, request, shown) = (step.notification, step.request, step.shown)
        if seen.json != nil {
            return [
                "\(seen.topic.line) → \(seen.device.line): \(seen.notificationText)",
                "\(seen.why.line) (#\(seen.id.line))",
            ]
        }
        if request.json != nil {
            let reason: JSONValue = ["reason": request.reason.json]
            return [
                "\(request.topic.line) → \(request.device.line): \(request.status.line) \(reason.text)",
                "\(request.diagnosis.message.line) (request \(request["number"].line))",
            ]
        }
        guard shown.json != nil else { return [] }
        // Without the simulated day, the summary is still to come.
        return [
            shown.elements.isEmpty
                ? "It is due at \(step.time.line)." : "Notification Center shows \(shown.joined(", "))"
        ]
    }
}

/// The demo's service extension, which implements `docs/service-extension-protocol.md`.
struct DemoExtensionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-extension", abstract: "The service extension of the demonstration.", shouldDisplay: false)

    func run() {
        while let line = readLine() {
            let message = JSONValue(Array(line.utf8).span.bytes)
            guard let message, message["type"]?.word == "didReceive", let id = message["id"] else { continue }
            let sealed = message["request"]?["content"]?["userInfo"]?["sealed"]?.word ?? ""
            let answer: JSONValue = [
                "type": .string("content"), "id": id, "content": ["body": .string(String(sealed.reversed()))],
            ]
            StandardStreams.write(answer.text)
        }
    }
}
