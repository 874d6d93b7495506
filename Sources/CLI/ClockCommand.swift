internal import APNs
internal import AdminAPI
internal import ArgumentParser
internal import Fields
internal import JSON

struct ClockCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "clock", abstract: "Show, stop, set, advance or reset the gateway's clock.",
        usage: "pushcote clock [stop | set <instant> | advance <duration> | follow | reset] [options]",
        discussion: """
            The gateway and all devices share this clock. A stopped clock moves only when you advance it; when the command \
            ends, everything that was due has happened: summaries, Focus schedules, expirations. The clock never goes back: \
            follow is rejected until real time has caught up. Only reset returns to real time at once; past events keep \
            their times.

            EXAMPLES
              pushcote clock
              pushcote clock stop
              pushcote clock set 2026-12-24T18:00:00Z
              pushcote clock advance PT1H
              pushcote clock follow
              pushcote clock reset
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "What to do; without it, show the clock.") var change: Change?

    @Argument(
        help: ArgumentHelp("For set, the time; for advance, the duration, such as 90s or PT1H.", valueName: "value"))
    var value: String?

    enum Change: String, CaseIterable, ExpressibleByArgument { case stop, set, advance, follow, reset }

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
        case (.set, nil): throw ValidationError("set needs a time, such as 2026-12-24T18:00:00Z")
        case (.advance, nil): throw ValidationError("advance needs a duration, such as 90s, 12h or PT1H")
        case (_, let value?):
            throw ValidationError("unexpected argument '\(value)': \(change?.rawValue ?? "clock") takes no value")
        }
    }

    func perform(with client: AdminClient) async throws -> CommandResult {
        try await print(request, with: client) { (clock: ClockAnswer) in
            let due = clock.nextDue.map { "; next due at \($0)" } ?? ""
            return CommandResult("\(clock.now)  \(clock.mode == "manual" ? "stopped" : "follows real time")\(due)")
        }
    }

    private var request: APICall {
        switch change {
        case nil: APICall(.get, ["clock"])
        case .stop: Self.put(["mode": .string("manual")])
        case .set: Self.put(["mode": .string("manual"), "now": .string(value ?? "")])
        case .follow: Self.put(["mode": .string("real")])
        case .reset: APICall(.post, ["clock", "reset"])
        case .advance:
            APICall(
                .post, ["clock", "advance"], body: JSONValue.object(["by": .string(value ?? "")]).bytes,
                timeout: .seconds(600))
        }
    }

    private static func put(_ members: JSONObject) -> APICall {
        APICall(.put, ["clock"], body: JSONValue.object(members).bytes, timeout: .seconds(600))
    }
}
