internal import ArgumentParser
internal import Fields
internal import JSON
internal import Time

struct ClockCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "clock", abstract: "Show, stop, set, advance, speed up or reset the gateway's clock.",
        usage: "pushcote clock [stop | set <instant> | advance <duration> | scale <factor> | follow | reset] [options]",
        discussion: """
            The gateway and all devices share this clock. A stopped clock moves only when you advance it; when the command \
            ends, everything that was due has happened: summaries, Focus schedules, expirations. advance lists the events. \
            scale lets the clock run faster than real time: with 60, a minute takes a second. The clock never goes back: \
            follow is rejected until real time has caught up. Only reset returns to real time at once; past events keep \
            their times.

            EXAMPLES
              pushcote clock
              pushcote clock stop
              pushcote clock set 2026-12-24T18:00:00Z
              pushcote clock advance PT1H
              pushcote clock scale 60
              pushcote clock follow
              pushcote clock reset
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "What to do; without it, show the clock.") var change: Change?

    @Argument(
        help: ArgumentHelp(
            "For set, the time; for advance, the duration, such as 90s or PT1H; for scale, how many times as fast.",
            valueName: "value"))
    var value: String?

    enum Change: String, CaseIterable, ExpressibleByArgument { case stop, set, advance, scale, follow, reset }

    func validate() throws {
        switch (change, value) {
        case (nil, nil), (.stop, nil), (.follow, nil), (.reset, nil): break
        case (.set, let value?):
            guard Instant(text: value) != nil else {
                throw ValidationError("'\(value)' is not a time; accepted: such as 2026-12-24T18:00:00Z")
            }
        case (.advance, let value?):
            guard Duration(written: value) != nil else {
                throw ValidationError("'\(value)' is not a duration; accepted: such as 90s, 12h or PT1H")
            }
        case (.scale, let value?):
            guard Double(value) != nil else {
                throw ValidationError("'\(value)' is not a number; accepted: such as 60, 1 to 3600")
            }
        case (.scale, nil): throw ValidationError("scale needs a number, such as 60")
        case (.set, nil): throw ValidationError("set needs a time, such as 2026-12-24T18:00:00Z")
        case (.advance, nil): throw ValidationError("advance needs a duration, such as 90s, 12h or PT1H")
        case (_, let value?):
            throw ValidationError("unexpected argument '\(value)': \(change?.rawValue ?? "clock") takes no value")
        }
    }

    func perform(with client: AdminClient) async throws -> CommandResult {
        try await print(request, with: client, change == .advance ? Self.story : Self.line)
    }

    private static func line(_ clock: Answer) -> String {
        let due = clock.nextDue.word.map { "; next due at \($0)" } ?? ""
        let pace =
            switch clock.mode.line {
            case "manual": "stopped"
            case "scaled": "runs \(clock.scale.json?.double?.shortText ?? "1") times as fast as real time"
            case "real": "follows real time"
            case let mode: mode
            }
        return "\(clock.now.line)  \(pace)\(due)"
    }

    /// The clock, the events in order, and the commands that list the others.
    private static func story(_ answer: Answer) -> String {
        let rows = answer.events.elements.map { [$0.device.line] + EventsCommand.row($0) }
        let rest = answer.rest.elements.map {
            "\($0.count.line) more: pushcote events '\($0.device.line)' --since \($0.since.line)"
        }
        let events = rows.isEmpty ? [] : [TextTable(["DEVICE"] + EventsCommand.head, rows).text]
        return ([line(answer), answer.eventCount.counted("event")] + events + rest)
            .joined(separator: "\n")
    }

    private var request: APICall {
        switch change {
        case nil: APICall(.get, ["clock"])
        case .stop: Self.put(["mode": .string("manual")])
        case .set: Self.put(["mode": .string("manual"), "now": .string(value ?? "")])
        case .scale: Self.put(["scale": JSONValue(Array((value ?? "").utf8).span.bytes)])
        case .follow: Self.put(["mode": .string("real")])
        case .reset: APICall(.post, ["clock", "reset"])
        case .advance:
            APICall(.post, ["clock", "advance"], json: ["by": .string(value ?? "")], timeout: .seconds(600))
        }
    }

    private static func put(_ change: JSONValue) -> APICall {
        APICall(.put, ["clock"], json: change, timeout: .seconds(600))
    }
}
