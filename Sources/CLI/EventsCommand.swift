internal import AdminAPI
internal import ArgumentParser
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import HTTP1Client
internal import JSON

struct EventsCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "List a device's events, oldest first; with --wait, wait for matching events.",
        discussion: """
            EXAMPLES
              pushcote events phone
              pushcote events phone --kind banner --kind sound --since 17
              pushcote events phone --kind summaryDelivered --wait 10s
              pushcote events phone --notification 3 --json | jq '.events[].event'

            \(ExitStatus.paragraph([.ok, .failed, .timedOut, .unreachable, .usage]))
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name.")
    var device: String

    @Option(help: ArgumentHelp("Only this kind, such as banner; repeatable.", valueName: "kind"))
    var kind: [String] = []

    @Option(help: ArgumentHelp("Only events of this notification.", valueName: "id"))
    var notification: UInt64?

    @Option(help: ArgumentHelp("Only events after this number.", valueName: "number"))
    var since: UInt64?

    @Option(help: ArgumentHelp("The maximum number of events, 1 to 1000.", valueName: "number"))
    var limit = 100

    @Option(help: ArgumentHelp("Wait at most this long, such as 500ms, 10s or PT10S.", valueName: "duration"))
    var wait: DurationArgument?

    @Option(help: ArgumentHelp("How many events to wait for, 1 to 1000. (default: 1)", valueName: "number"))
    var count: Int?

    func validate() throws {
        guard count == nil || wait != nil else { throw ValidationError("--count needs --wait") }
        guard (1...1000).contains(count ?? 1) else {
            throw ValidationError("--count is \(count ?? 1); accepted: 1 to 1000")
        }
    }

    func perform(with client: AdminClient) async throws -> CommandResult {
        let (answer, page) = try await Waiting.ask(for: wait?.duration ?? .zero, outcome: \.1.outcome) { turn in
            try await client.ask(request(turn)) as (HTTPAnswer, EventsAnswer)
        }
        var result = CommandResult(admin.json ? answer.text : page.text, remark: admin.json ? "" : page.remark)
        switch page.outcome {
        case .matched, nil: break
        case .stopped: (result.status, result.remark) = (.failed, "the gateway is stopping")
        case .timedOut:
            let words =
                "timed out after \(DurationText.text(wait?.duration ?? .zero)): \(page.events.count) of \(count ?? 1) matched"
            (result.status, result.remark) = (.timedOut, words)
        }
        return result
    }

    private func request(_ turn: Waiting.Turn) -> APICall {
        let query: [(name: String, value: String?)] = [
            ("kind", kind.isEmpty ? nil : kind.joined(separator: ",")),
            ("notification", notification.map { String($0) }), ("since", since.map { String($0) }),
            ("limit", String(max(limit, count ?? 1))), ("wait", wait.map { _ in turn.words }),
            ("count", wait.map { _ in String(count ?? 1) }),
        ]
        let timeout = wait == nil ? .seconds(30) : turn.timeout
        return APICall(.get, ["devices", device, "events"], query: query, timeout: timeout)
    }
}

extension EventsAnswer {
    var text: String {
        guard !events.isEmpty else { return "No event matches." }
        let rows = events.map { event in
            [
                String(event.number), event.at, event.event, event.notification.map { String($0) } ?? "-",
                (event.app ?? "-").onOneLine, event.details?.cell.onOneLine ?? "",
            ]
        }
        return TextTable(["NUMBER", "AT", "EVENT", "ID", "APP", "DETAILS"], rows).text
    }

    /// What the list does not show.
    var remark: String {
        var sentences: [String] = []
        if hasGap == true { sentences.append("Some requested events have been evicted.") }
        if hasMore == true, let next { sentences.append("More: --since \(next)") }
        return sentences.joined(separator: "\n")
    }
}
