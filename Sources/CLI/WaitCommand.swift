internal import ArgumentParser
internal import DeviceModel
internal import Fields

/// `pushcote wait`: waits until devices have received enough.
struct WaitCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until one device, or all together, have received matching notifications.",
        discussion: """
            Existing notifications count. --since excludes notifications up to a number: read the newest number before the \
            back end pushes, then wait for what comes next.

            EXAMPLES
              pushcote wait phone
              pushcote wait phone --count 3 --timeout 30s
              pushcote wait --topic com.example.app --text "is ready" --since 17 --json

            \(ExitStatus.paragraph([.ok, .failed, .timedOut, .unreachable, .usage]))
            """)

    @OptionGroup var admin: AdminOptions
    @OptionGroup var filter: NotificationOptions

    @Option(help: ArgumentHelp("The number of notifications to wait for, 1 to 1000.", valueName: "number"))
    var count = 1

    @Option(help: ArgumentHelp("The time limit, such as 500ms, 10s or PT10S.", valueName: "duration"))
    var timeout = DurationArgument(.seconds(10))

    func validate() throws {
        guard (1...1000).contains(count) else { throw ValidationError("--count is \(count); accepted: 1 to 1000") }
    }

    func perform(with client: AdminClient) async throws -> CommandResult {
        let (answer, page) = try await Waiting.ask(for: timeout.duration, outcome: \.1.outcome) { turn in
            let answer = try await client.send(request(turn))
            return (answer, try client.decode(NotificationsAnswer.self, from: answer, to: "/notifications"))
        }
        switch page.outcome {
        case .complete: return result(answer, page)
        case .stopping: return result(answer, page, .failed, "the gateway is stopping")
        case .timeout, nil:
            let enough = page.notifications.count >= count
            let words =
                "timed out after \(DurationText.text(timeout.duration)): \(page.notifications.count) of \(count) matched"
            return enough ? result(answer, page) : result(answer, page, .timedOut, words)
        }
    }

    private func request(_ turn: Waiting.Turn) -> AdminRequest {
        let query =
            filter.query + [("limit", String(max(count, 100))), ("wait", turn.words), ("count", String(count))]
        return AdminRequest(.get, ["notifications"], query: query, timeout: turn.timeout)
    }

    private func result(
        _ answer: AdminAnswer, _ page: NotificationsAnswer, _ status: ExitStatus = .ok, _ remark: String = ""
    ) -> CommandResult {
        CommandResult(admin.json ? answer.text : page.text, remark: remark, status: status)
    }
}
