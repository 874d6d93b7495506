internal import AdminAPI
internal import ArgumentParser
internal import DeviceModel
internal import Fields
internal import JSON

extension ExtensionCommand {
    struct Run: AdminCommand {
        static let configuration = CommandConfiguration(
            "run", abstract: "Push one payload through an app's extension and print the result.",
            exits: [.ok, .failed, .timedOut, .unreachable, .usage],
            discussion: """
                The gateway runs the extension as for every push, so the notification is on the device afterwards. "-" reads \
                standard input. Fails if the extension was not called, or if the original was shown.

                EXAMPLES
                  pushcote extension run Examples/Message/push.json --app com.example.chat
                """)

        @OptionGroup var admin: AdminOptions

        @Argument(help: ArgumentHelp("The payload.", valueName: "json file")) var file: String

        @Option(help: ArgumentHelp("The app with the extension.", valueName: "bundle id")) var app: String

        @Option(help: ArgumentHelp("The device; created if missing.", valueName: "name")) var device = "extension-run"

        @Option(help: ArgumentHelp("The time limit, such as 10s or PT10S.", valueName: "duration"))
        var timeout = Duration.seconds(40)

        func perform(with client: AdminClient) async throws -> CommandResult {
            let payload = try StandardStreams.read(file)
            let id = try await client.push(payload, [("topic", app), ("pushType", "alert")], to: device)
            guard try await client.waitUntilFinished(id, on: device, within: timeout) else {
                let time = DurationText.text(timeout)
                throw CommandFailure(.timedOut, "timed out after \(time): the extension has not finished")
            }
            let call = APICall(.get, ["notifications", String(id)])
            let answer = try await client.send(call)
            let report: ExtensionReport = try client.decode(from: answer, to: call)
            return CommandResult(
                admin.json ? answer.text : report.text, remark: report.remark, status: report.isFine ? .ok : .failed)
        }
    }
}

extension AdminClient {
    /// Waits until a notification is delivered or discarded; false when the time is up.
    /// - Parameter other: A kind of event that ends the wait, too.
    func waitUntilFinished(
        _ number: UInt64, on device: String, or other: String? = nil, within duration: Duration
    ) async throws -> Bool {
        let kinds = ["contentDelivered", "discarded", other].compactMap(\.self).joined(separator: ",")
        let page: EventsAnswer = try await Waiting.ask(for: duration, outcome: \.outcome) { wait, timeout in
            let query: APICall.Query = [
                ("kind", kinds), ("notification", String(number)), ("wait", wait),
            ]
            return try await ask(APICall(.get, ["devices", device, "events"], query: query, timeout: timeout))
        }
        return !page.events.isEmpty
    }
}

/// A service extension's part in `GET /notifications/{id}`.
struct ExtensionReport: Decodable {
    private var `extension`: NotificationExtensionAnswer?

    var isFine: Bool { `extension`?.verdict == "modified" || `extension`?.verdict == "suppressed" }

    var remark: String {
        guard let record = `extension` else {
            return "the app has no service extension; configure one with PUT /api/v1/apps or `apps` in the "
                + "configuration file"
        }
        return record.run == nil ? record.message ?? record.state : ""
    }

    var text: String {
        guard let record = `extension`, let run = record.run else { return "" }
        let time = run.answerMilliseconds.map { " after \(Int($0.rounded())) ms" } ?? ""
        let end = ([run.end + time] + [run.detail].compactMap(\.self)).joined(separator: ", ")
        return section("BEFORE", leaves(record.before)) + section("CHANGED", (record.changes ?? []).flatMap(lines))
            + section("RESULT", ["\(record.verdict ?? ""): \(record.message ?? "") [\(record.rule ?? "")]", end])
            + section("LOG", run.log.map { "\($0.level): \($0.message)" })
            + section("OUTPUT", run.output?.split(separator: "\n").map(String.init) ?? [])
            + section("FINDINGS", run.findings.map { "\($0.severity): \($0.message) [\($0.id)]" })
    }

    private func lines(_ change: NotificationExtensionAnswer.Change) -> [String] {
        let after = leaves(change.after).map { $0.isEmpty ? change.member : "\(change.member): \($0)" }
        return after.isEmpty ? ["\(change.member) removed"] : after
    }

    /// Members with a value other than empty, 0 or false, as in `sound.name: default`.
    private func leaves(_ value: JSONValue?) -> [String] {
        guard let value else { return [] }
        return value.sorted.leaves.filter { !["", "[]", "{}", "0", "false"].contains($0.value) }.map {
            $0.path.isEmpty ? $0.value : "\($0.path): \($0.value)"
        }
    }

    private func section(_ heading: String, _ lines: [String]) -> String {
        lines.isEmpty ? "" : heading + "\n" + lines.map { "  \($0)\n" }.joined()
    }
}
