import TestSupport
import Testing
import Time

@testable import DeviceModel

/// A Focus with schedules written as `weekdays 09:00-17:00`.
private func focus(_ id: String, _ schedules: String...) throws -> Focus {
    var focus = Focus.with { $0.id = id }
    focus.schedule = try schedules.map { text in
        let parts = text.split { $0 == " " || $0 == "-" }.map(String.init)
        var schedule = FocusSchedule()
        schedule.days = try #require(FocusSchedule.Days(rawValue: parts[0]))
        (schedule.from, schedule.to) = (try .reading(parts[1]), try .reading(parts[2]))
        return schedule
    }
    return focus
}

@Suite("S0-12 Focus schedules") struct FocusTimetableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var what: String
        var modes: [(id: String, schedule: String)]
        var zone: String
        var at: String
        var mode: String?
        /// The next change, as `2026-01-05T09:00:00.000Z nil>work start`.
        var next: String?
        var testDescription: String { what }

        init(
            _ what: String, _ modes: [(String, String)], _ zone: String = "UTC", at: String, _ mode: String?,
            next: String?
        ) {
            (self.what, self.modes, self.zone, self.at) = (what, modes.map { (id: $0.0, schedule: $0.1) }, zone, at)
            (self.mode, self.next) = (mode, next)
        }
    }

    // 2026-01-05 is a Monday.
    static let rows = [
        Row("no schedule", [], at: "2026-01-05T09:00:00Z", nil, next: nil),
        Row(
            "before its start", [("work", "weekdays 09:00-17:00")], at: "2026-01-05T08:59:59.999Z", nil,
            next: "2026-01-05T09:00:00.000Z nil>work start"),
        Row(
            "at its start", [("work", "weekdays 09:00-17:00")], at: "2026-01-05T09:00:00Z", "work",
            next: "2026-01-05T17:00:00.000Z work>nil"),
        Row(
            "at its end", [("work", "weekdays 09:00-17:00")], at: "2026-01-05T17:00:00Z", nil,
            next: "2026-01-06T09:00:00.000Z nil>work start"),
        Row(
            "over the weekend", [("work", "weekdays 09:00-17:00")], at: "2026-01-09T17:00:00Z", nil,
            next: "2026-01-12T09:00:00.000Z nil>work start"),
        Row(
            "at the weekend", [("rest", "weekends 10:00-11:00")], at: "2026-01-05T10:30:00Z", nil,
            next: "2026-01-10T10:00:00.000Z nil>rest start"),
        Row(
            "once a week", [("rest", "monday 10:00-11:00")], at: "2026-01-05T11:00:00Z", nil,
            next: "2026-01-12T10:00:00.000Z nil>rest start"),
        Row(
            "over midnight, evening", [("sleep", "everyDay 22:00-07:00")], at: "2026-01-05T23:00:00Z", "sleep",
            next: "2026-01-06T07:00:00.000Z sleep>nil"),
        Row(
            "over midnight, morning", [("sleep", "everyDay 22:00-07:00")], at: "2026-01-06T06:59:00Z", "sleep",
            next: "2026-01-06T07:00:00.000Z sleep>nil"),
        Row(
            "Friday's night reaches into Saturday", [("sleep", "friday 22:00-07:00")], at: "2026-01-10T06:00:00Z",
            "sleep",
            next: "2026-01-10T07:00:00.000Z sleep>nil"),
        Row(
            "Saturday's night does not start", [("sleep", "friday 22:00-07:00")], at: "2026-01-10T23:00:00Z", nil,
            next: "2026-01-16T22:00:00.000Z nil>sleep start"),
        Row(
            "equal times are a whole day", [("rest", "sunday 00:00-00:00")], at: "2026-01-11T12:00:00Z", "rest",
            next: "2026-01-12T00:00:00.000Z rest>nil"),
        Row("always on", [("dnd", "everyDay 00:00-00:00")], at: "2026-01-11T12:00:00Z", "dnd", next: nil),
        Row(
            "two at once: the first in the list", [("a", "everyDay 09:00-12:00"), ("b", "everyDay 08:00-18:00")],
            at: "2026-01-05T10:00:00Z", "a", next: "2026-01-05T12:00:00.000Z a>b"),
        Row(
            "the first in the list takes over", [("a", "everyDay 09:00-12:00"), ("b", "everyDay 08:00-18:00")],
            at: "2026-01-05T08:30:00Z", "b", next: "2026-01-05T09:00:00.000Z b>a start"),
        Row(
            "the second in the list starts unseen", [("a", "everyDay 09:00-12:00"), ("b", "everyDay 10:00-18:00")],
            at: "2026-01-05T09:30:00Z", "a", next: "2026-01-05T10:00:00.000Z a>a, b starts"),
        Row(
            "the second in the list ends unseen", [("a", "everyDay 09:00-12:00"), ("b", "everyDay 08:00-11:00")],
            at: "2026-01-05T09:30:00Z", "a", next: "2026-01-05T11:00:00.000Z a>a, b ends"),
        Row(
            "one ends as the other starts", [("a", "everyDay 09:00-12:00"), ("b", "everyDay 12:00-18:00")],
            at: "2026-01-05T10:00:00Z", "a", next: "2026-01-05T12:00:00.000Z a>b start"),
        Row(
            "in the device's zone", [("work", "weekdays 09:00-17:00")], "Asia/Tokyo", at: "2026-01-05T00:00:00Z",
            "work",
            next: "2026-01-05T08:00:00.000Z work>nil"),
        Row(
            "the night of a gap is short", [("sleep", "everyDay 22:00-07:00")], "America/New_York",
            at: "2026-03-08T03:00:00Z", "sleep", next: "2026-03-08T11:00:00.000Z sleep>nil"),
        Row(
            "the night of the extra hour is long", [("sleep", "everyDay 22:00-07:00")], "America/New_York",
            at: "2026-11-01T02:00:00Z", "sleep", next: "2026-11-01T12:00:00.000Z sleep>nil"),
        Row(
            "a start that is skipped", [("run", "sunday 02:30-04:00")], "Europe/Berlin", at: "2026-03-29T00:30:00Z",
            nil,
            next: "2026-03-29T01:00:00.000Z nil>run start"),
        Row(
            "a window that is skipped", [("run", "sunday 02:15-02:45")], "Europe/Berlin", at: "2026-03-22T02:00:00Z",
            nil,
            next: "2026-04-05T00:15:00.000Z nil>run start"),
        Row(
            "a window that comes twice comes once", [("run", "sunday 02:15-02:45")], "Europe/Berlin",
            at: "2026-10-25T01:20:00Z", nil, next: "2026-11-01T01:15:00.000Z nil>run start"),
    ]

    @Test("S0-12 schedules give the current Focus and the next change", arguments: rows)
    func schedule(_ row: Row) throws {
        let calendar = try #require(LocalCalendar(timeZone: row.zone))
        let modes = try row.modes.map { try focus($0.id, $0.schedule) }
        let timetable = FocusTimetable(modes: modes, calendar: calendar)
        let at = try Instant.reading(row.at)
        #expect(timetable.mode(at: at) == row.mode)
        #expect(timetable.nextChange(after: at).map(text) == row.next)
    }

    private func text(_ change: FocusChange) -> String {
        let from = change.from ?? "nil"
        let to = change.to ?? "nil"
        let started = change.started.map { $0 == to ? " start" : ", \($0) starts" } ?? ""
        let ended = change.ended.filter { $0 != from }.map { ", \($0) ends" }.joined()
        return "\(change.at.text) \(from)>\(to)\(started)\(ended)"
    }

    @Test(
        "A mode that is on until an instant ends then, whatever the schedules say",
        arguments: [
            ("2026-01-05T08:00:00Z", "2026-01-05T08:30:00Z", "2026-01-05T08:30:00.000Z dnd>nil"),
            ("2026-01-05T08:00:00Z", "2026-01-05T09:30:00Z", "2026-01-05T09:30:00.000Z dnd>work"),
            ("2026-01-05T10:00:00Z", "2026-01-05T11:00:00Z", "2026-01-05T11:00:00.000Z dnd>work"),
            ("2026-01-05T08:00:00Z", "2026-01-05T07:00:00Z", "2026-01-05T09:00:00.000Z nil>work start"),
        ])
    func until(now: String, until: String, next: String) throws {
        let modes = [try focus("work", "weekdays 09:00-17:00"), try focus("dnd")]
        let timetable = FocusTimetable(
            modes: modes, calendar: try #require(LocalCalendar(timeZone: "UTC")), active: "dnd",
            until: try Instant.reading(until))
        #expect(timetable.nextChange(after: try Instant.reading(now)).map(text) == next)
    }

    @Test("A mode with two schedules is on during both") func twoSchedules() throws {
        let modes = [try focus("work", "weekdays 09:00-12:00", "weekdays 13:00-17:00")]
        let timetable = FocusTimetable(modes: modes, calendar: try #require(LocalCalendar(timeZone: "UTC")))
        var changes: [String] = []
        var now = try Instant.reading("2026-01-05T00:00:00Z")
        while changes.count < 4, let change = timetable.nextChange(after: now) {
            now = change.at
            changes.append(String(change.at.text.dropFirst(11).prefix(5)))
        }
        #expect(changes == ["09:00", "12:00", "13:00", "17:00"])
    }

    @Test(
        "A schedule's start replaces the active mode; its end switches off its own mode only",
        arguments: [
            (nil, "work", "work", [], nil, "work"), ("work", nil, nil, ["work"], "work", nil),
            ("work", nil, nil, ["work"], "reading", "reading"), (nil, "work", "work", [], "reading", "work"),
            ("work", nil, nil, ["work"], nil, nil), ("a", "b", nil, ["a"], "a", "b"), ("a", "b", nil, ["a"], nil, nil),
            ("a", "b", "b", ["a"], nil, "b"), ("a", "a", "b", [], "a", "a"), ("a", "a", "b", [], "reading", "b"),
            ("a", "a", "b", [], nil, "b"), ("a", "a", nil, ["b"], "b", "a"),
            ("a", "a", nil, ["b"], "reading", "reading"),
            ("a", nil, nil, ["a", "b"], "b", nil),
        ] as [(String?, String?, String?, [String], String?, String?)])
    func active(
        from: String?, to: String?, started: String?, ended: [String], before: String?, after: String?
    ) throws {
        let change = FocusChange(
            at: try .reading("2026-01-05T09:00:00Z"), from: from, to: to, started: started, ended: ended)
        #expect(change.active(following: before) == after)
    }

    @Test("Every choice of days maps to its weekdays", arguments: FocusSchedule.Days.allCases)
    func days(choice: FocusSchedule.Days) {
        let days = Weekday.allCases.filter(choice.contains)
        switch choice {
        case .everyDay: #expect(days == Weekday.allCases)
        case .weekdays: #expect(days == [.monday, .tuesday, .wednesday, .thursday, .friday])
        case .weekends: #expect(days == [.saturday, .sunday])
        default: #expect(days.map { "\($0)" } == [choice.rawValue])
        }
    }
}
