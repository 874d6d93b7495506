internal import ArgumentParser
internal import DeviceSimulator
internal import Fields
internal import JSON

struct WaitCommand: NotificationListCommand {
    static let configuration = CommandConfiguration(
        "wait", abstract: "Wait until the gateway has matching notifications, of one device or of all together.",
        exits: [.ok, .failed, .timedOut, .unreachable, .usage],
        discussion: """
            Existing notifications count, and those that wait for their device: --state delivered excludes them. --since excludes notifications up to a number: read the newest number before the \
            back end pushes, then wait for later notifications.

            EXAMPLES
              pushcote wait phone
              pushcote wait phone --count 3 --timeout 30s
              pushcote wait --topic com.example.app --text "is ready" --since 17 --json
            """)

    @OptionGroup var admin: AdminOptions
    @OptionGroup var filter: NotificationOptions

    @Option(help: ArgumentHelp("The number of notifications to wait for, 1 to 1000.", valueName: "number"))
    var count = 1

    @Option(help: ArgumentHelp("The time limit, such as 500ms, 10s or PT10S.", valueName: "duration"))
    var timeout = Duration.seconds(10)

    func validate() throws {
        guard (1...1000).contains(count) else { throw ValidationError("--count is \(count); accepted: 1 to 1000") }
    }

    func perform(with client: AdminClient) async throws -> CommandResult {
        var result = try await wait(for: timeout, count: count, with: client)
        guard result.status == .timedOut else { return result }
        let misses = try await misses(with: client)
        // The device may be created while the command waits, by its first push.
        result = try await client.explained(result, device: filter.device)
        result.remark += misses.map { "\n" + $0 }.joined()
        return result
    }

    /// The lines that `pushcote verify` prints below its verdict: the conditions and the nearest misses.
    private func misses(with client: AdminClient) async throws -> [Substring] {
        let call = APICall(
            .post, ["verify"],
            json: [
                "device": filter.device.map { .string($0) }, "where": .strings(filter.conditionsOfAll),
                "count": ["atLeast": .integer(count)], "since": filter.since.map { .integer($0) },
            ])
        do {
            let answer = try client.read(try await client.send(call, accepting: [406]), to: call)
            guard !answer.verified.isTrue else { return [] }
            let lines = Array(answer.report.text.split(separator: "\n").dropFirst())
            guard let text = filter.text else { return lines }
            return try await lines.prefix(1) + misses(of: answer, with: client, searching: text)
        } catch {
            // There is no such device.
            guard case .refused = error else { throw error }
            return []
        }
    }

    /// The near misses. Unlike the condition that was verified, --text ignores case and looks into the payload.
    private func misses(
        of answer: Answer, with client: AdminClient, searching text: String
    ) async throws(AdminClientError) -> [Substring] {
        let query = [
            ("device", filter.device), ("text", text), ("since", filter.since.map(String.init)), ("limit", "1000"),
        ]
        let matching = try await client.ask(APICall(.get, ["notifications"], query: query))
        let numbers = Set(matching.notifications.elements.map(\.id.line))
        let expected = [text, JSONValue.string(text).text].map { "something that contains \($0)" }
        let lines = answer.nearest.elements.flatMap { miss in
            let differences = miss.differences.elements.filter {
                $0.path.line != "text" || !expected.contains($0.expected.line) || !numbers.contains(miss["number"].line)
            }
            return differences.map { difference in
                "  \(miss["number"].line)  \(difference.path.line): expected \(difference.expected.line), got "
                    + (difference.got.json?.text ?? "nothing")
            }
        }
        return lines.isEmpty ? [] : ["Nearest:"] + lines.map { $0[...] }
    }
}

extension AdminClient {
    /// Waits on the gateway for a notification that never arrives.
    /// - Returns: false when the gateway stops, which ends the wait.
    func pause(_ duration: Duration) async throws(AdminClientError) -> Bool {
        let query: APICall.Query = [("since", String(Int64.max)), ("wait", DurationText.text(duration))]
        return try await ask(APICall(.get, ["notifications"], query: query)).waitOutcome != .stopped
    }
}

extension Answer {
    var waitOutcome: WaitOutcome? { WaitOutcome(rawValue: self.outcome.line) }
}

/// Waits of any length, as a series of requests, since proxies close silent connections.
enum Waiting {
    private static let longestRequest = Duration.seconds(20)

    /// Repeats the request until it matches or the time is up.
    /// - Parameter ask: Receives the value of the query's `wait`, and how long the answer may take.
    static func ask<Page>(
        for duration: Duration, outcome: (Page) -> WaitOutcome?, _ ask: (String, Duration) async throws -> Page
    ) async throws -> Page {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: duration)
        while true {
            let wait = min(max(.zero, clock.now.duration(to: deadline)), longestRequest)
            let page = try await ask(text(of: wait), wait + .seconds(10))
            if outcome(page) == .timedOut, clock.now < deadline { continue }
            return page
        }
    }

    /// In whole milliseconds, rounded up so that the last request does not return early.
    private static func text(of wait: Duration) -> String {
        let parts = wait.components
        let milliseconds = parts.seconds * 1000 + (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return DurationText.text(.milliseconds(milliseconds))
    }
}
