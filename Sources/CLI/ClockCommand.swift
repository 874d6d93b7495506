internal import APNs
internal import ArgumentParser
internal import DeviceModel
internal import Fields
internal import JSON

/// `pushcote clock`: shows the gateway's clock, and moves it.
struct ClockCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Show, stop, set, advance or reset the gateway's clock.",
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

            \(ExitStatus.paragraph([.ok, .failed, .unreachable, .usage]))
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "What to do; without it, show the clock.")
    var change: Change?

    @Argument(
        help: ArgumentHelp("For set, the time; for advance, the duration, such as 90s or PT1H.", valueName: "value"))
    var value: String?

    /// What is done to the clock.
    enum Change: String, CaseIterable, ExpressibleByArgument {
        case stop, set, advance, follow, reset
    }

    func validate() throws {
        switch (change, value) {
        case (nil, nil), (.stop, nil), (.follow, nil), (.reset, nil): break
        case (.set, let value?):
            guard Instant(written: value) != nil else {
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
        let answer = try await client.send(request)
        if admin.json { return CommandResult(answer.text) }
        let clock = try client.decode(ClockAnswer.self, from: answer, to: "/clock")
        let due = clock.nextDue.map { "; next due at \($0)" } ?? ""
        return CommandResult("\(clock.now)  \(clock.mode == "manual" ? "stopped" : "follows real time")\(due)")
    }

    private var request: AdminRequest {
        switch change {
        case nil: AdminRequest(.get, ["clock"])
        case .stop: Self.put(["mode": .string("manual")])
        case .set: Self.put(["mode": .string("manual"), "now": .string(value ?? "")])
        case .follow: Self.put(["mode": .string("real")])
        case .reset: AdminRequest(.post, ["clock", "reset"])
        case .advance:
            // Years of schedules take a while.
            AdminRequest(
                .post, ["clock", "advance"], body: JSONText.bytes(.object(["by": .string(value ?? "")])),
                timeout: .seconds(600))
        }
    }

    private static func put(_ members: [String: JSONValue]) -> AdminRequest {
        AdminRequest(.put, ["clock"], body: JSONText.bytes(.object(members)), timeout: .seconds(600))
    }
}

/// `GET /clock`.
struct ClockAnswer: Decodable {
    var mode: String
    var now: String
    /// When something happens by itself next.
    var nextDue: String?
}
