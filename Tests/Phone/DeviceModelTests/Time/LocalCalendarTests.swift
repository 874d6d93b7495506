import DeviceModel
import Testing
import Time

@Suite("H.4 a wall time is reached once a day, even across clock changes") struct LocalCalendarTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var what: String
        var zone: String
        var time: String
        var after: String
        var next: String
        var testDescription: String { "\(zone): \(what)" }

        init(_ what: String, _ zone: String, _ time: String, after: String, next: String) {
            (self.what, self.zone, self.time, self.after, self.next) = (what, zone, time, after, next)
        }
    }

    static let rows = [
        Row("later today", "UTC", "08:00", after: "2026-01-05T07:00:00Z", next: "2026-01-05T08:00:00.000Z"),
        Row("not now", "UTC", "08:00", after: "2026-01-05T08:00:00Z", next: "2026-01-06T08:00:00.000Z"),
        Row("a moment ago", "UTC", "08:00", after: "2026-01-05T07:59:59.999Z", next: "2026-01-05T08:00:00.000Z"),
        Row("over new year", "UTC", "00:00", after: "2026-12-31T12:00:00Z", next: "2027-01-01T00:00:00.000Z"),
        Row("before 1970", "UTC", "08:00", after: "1969-12-30T23:59:59Z", next: "1969-12-31T08:00:00.000Z"),
        Row("no DST", "Asia/Tokyo", "08:00", after: "2026-01-05T00:00:00Z", next: "2026-01-05T23:00:00.000Z"),
        Row("half hours", "Asia/Kolkata", "08:00", after: "2026-01-05T02:29:59Z", next: "2026-01-05T02:30:00.000Z"),
        Row("no DST", "America/Phoenix", "02:30", after: "2026-03-08T09:00:00Z", next: "2026-03-08T09:30:00.000Z"),

        Row("winter", "America/New_York", "08:00", after: "2026-03-07T00:00:00Z", next: "2026-03-07T13:00:00.000Z"),
        Row(
            "the clock jumps in between", "America/New_York", "08:00", after: "2026-03-07T13:00:00Z",
            next: "2026-03-08T12:00:00.000Z"),
        Row(
            "the minute before a gap", "America/New_York", "01:59", after: "2026-03-08T05:00:00Z",
            next: "2026-03-08T06:59:00.000Z"),
        Row(
            "skipped, so at the gap's end", "America/New_York", "02:30", after: "2026-03-08T05:00:00Z",
            next: "2026-03-08T07:00:00.000Z"),
        Row(
            "a gap's last minute", "America/New_York", "02:59", after: "2026-03-08T05:00:00Z",
            next: "2026-03-08T07:00:00.000Z"),
        Row(
            "once at a gap's end, then tomorrow", "America/New_York", "02:30", after: "2026-03-08T07:00:00Z",
            next: "2026-03-09T06:30:00.000Z"),
        Row(
            "comes twice: the first", "America/New_York", "01:30", after: "2026-11-01T04:00:00Z",
            next: "2026-11-01T05:30:00.000Z"),
        Row(
            "comes twice: not the second", "America/New_York", "01:30", after: "2026-11-01T05:30:00Z",
            next: "2026-11-02T06:30:00.000Z"),
        Row(
            "between the two", "America/New_York", "01:00", after: "2026-11-01T05:59:59Z",
            next: "2026-11-02T06:00:00.000Z"),
        Row("after both", "America/New_York", "02:00", after: "2026-11-01T05:30:00Z", next: "2026-11-01T07:00:00.000Z"),

        Row(
            "a whole day skipped", "Pacific/Apia", "08:00", after: "2011-12-29T20:00:00Z",
            next: "2011-12-30T10:00:00.000Z"),
        Row(
            "midnight twice, the first", "America/St_Johns", "00:00", after: "2010-11-06T12:00:00Z",
            next: "2010-11-07T02:30:00.000Z"),
        Row(
            "midnight twice, not the second", "America/St_Johns", "00:00", after: "2010-11-07T02:30:30Z",
            next: "2010-11-08T03:30:00.000Z"),
    ]

    @Test("H.4 the next instant of a wall time", arguments: rows) func next(_ row: Row) throws {
        let calendar = try #require(LocalCalendar(timeZone: row.zone))
        #expect(calendar.next(try .reading(row.time), after: try .reading(row.after)).text == row.next)
    }

    @Test(
        "The weekday is that of the zone",
        arguments: [
            ("UTC", "2026-01-05T00:00:00Z", Weekday.monday), ("UTC", "2026-01-04T23:59:59.999Z", .sunday),
            ("Asia/Tokyo", "2026-01-04T15:00:00Z", .monday), ("America/New_York", "2026-01-05T04:59:59Z", .sunday),
            ("America/New_York", "2026-01-05T05:00:00Z", .monday), ("UTC", "1970-01-01T00:00:00Z", .thursday),
            ("UTC", "1969-12-31T23:59:59Z", .wednesday), ("UTC", "1969-12-24T00:00:00Z", .wednesday),
            ("UTC", "2024-02-29T12:00:00Z", .thursday), ("UTC", "2026-11-20T12:00:00Z", .friday),
            ("UTC", "2026-11-21T12:00:00Z", .saturday), ("UTC", "2026-11-24T12:00:00Z", .tuesday),
        ])
    func weekdays(zone: String, at: String, weekday: Weekday) throws {
        #expect(try #require(LocalCalendar(timeZone: zone)).weekday(at: try .reading(at)) == weekday)
    }

    @Test(
        "A text has the offset valid at its instant",
        arguments: [
            ("UTC", "2026-01-05T00:00:00Z", "2026-01-05T00:00:00.000+00:00"),
            ("Asia/Tokyo", "2026-01-05T00:00:00Z", "2026-01-05T09:00:00.000+09:00"),
            ("America/New_York", "2026-11-01T05:30:00.250Z", "2026-11-01T01:30:00.250-04:00"),
            ("America/New_York", "2026-11-01T06:30:00Z", "2026-11-01T01:30:00.000-05:00"),
            ("America/St_Johns", "2026-01-05T00:00:00Z", "2026-01-04T20:30:00.000-03:30"),
            ("Asia/Kathmandu", "2026-01-05T00:00:00Z", "2026-01-05T05:45:00.000+05:45"),
        ])
    func texts(zone: String, at: String, text: String) throws {
        #expect(try #require(LocalCalendar(timeZone: zone)).text(try .reading(at)) == text)
    }

    @Test("Unknown zones are rejected", arguments: ["", "Nowhere", "asia/tokyo", " Asia/Tokyo", "+09:00"])
    func unknown(name: String) { #expect(LocalCalendar(timeZone: name) == nil) }

    @Test(
        "Known zones are accepted", arguments: ["UTC", "GMT", "Asia/Tokyo", "US/Pacific", "Etc/GMT+5", "Europe/Kyiv"])
    func known(name: String) { #expect(LocalCalendar(timeZone: name) != nil) }
}
