import Testing
import Time

@Suite struct InstantTests {
    static let rows: [(Int64, String)] = [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (1_795_246_684_123, "2026-11-21T07:38:04.123Z"),
    ]

    @Test(arguments: rows) func isWrittenAndReadAsISO8601(_ milliseconds: Int64, _ text: String) {
        #expect(Instant(milliseconds: milliseconds).text == text)
        #expect(Instant(text: text) == Instant(milliseconds: milliseconds))
    }

    static let extremes: [(Int64, String)] = [
        (.max, "9999-12-31T23:59:59.999Z"), (253_402_300_800_000, "9999-12-31T23:59:59.999Z"),
        (253_402_300_799_998, "9999-12-31T23:59:59.998Z"), (-62_167_219_199_999, "0000-01-01T00:00:00.001Z"),
        (.min, "0000-01-01T00:00:00.000Z"),
    ]

    @Test(arguments: extremes) func aYearBeyondFourDigitsIsWrittenAsTheNearestWithFour(_ row: (Int64, String)) {
        #expect(Instant(milliseconds: row.0).text == row.1)
        #expect(Instant(text: row.1)?.text == row.1)
    }

    @Test func everyDayOfFourCenturiesReadsBack() {
        for day in stride(from: Int64(-200_000), to: 200_000, by: 1) {
            let instant = Instant(wholeSeconds: day * 86400)
            if Instant(text: instant.text) != instant { Issue.record("day \(day): \(instant.text)") }
        }
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T07:38:04", "2026-13-21T07:38:04Z", "2026-11-21 07:38:04Z", "x026-11-21T07:38:04Z",
    ]) func otherTextsAreRejected(_ text: String) { #expect(Instant(text: text) == nil) }

    static let lastDays = [
        "2026-01-31", "2026-02-28", "2024-02-29", "2000-02-29", "2400-02-29", "2026-03-31", "2026-04-30", "2026-05-31",
        "2026-06-30", "2026-07-31", "2026-08-31", "2026-09-30", "2026-10-31", "2026-11-30", "2026-12-31",
    ]

    @Test(arguments: lastDays) func theLastDayOfAMonthIsReadAndTheNextIsNot(_ date: String) throws {
        #expect(Instant(text: "\(date)T23:59:59Z")?.text == "\(date)T23:59:59.000Z")
        let next = date.dropLast(2) + String(try #require(Int(date.suffix(2))) + 1)
        #expect(Instant(text: "\(next)T00:00:00Z") == nil)
        #expect(Instant(text: "\(next)T00:00:00+09:00") == nil)
    }

    @Test(arguments: [
        "2026-02-31T00:00:00Z", "2026-02-30T12:00:00.000Z", "2025-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2026-01-00T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-11-21T24:00:00Z", "2026-11-21T23:60:00Z", "2026-06-30T23:59:60Z", "2026-02-29T08:00:00+09:00",
        "2026-03-01T24:00:00-05:00", "2026-11-21T07:00:00+24:00", "2026-11-21T07:00:00+09:60",
        "2026-11-21T07:00:00+9:00", "2026-11-21T07:00:00 09:00", "2026-11-21T07:00:00",
    ]) func impossibleDatesAndTimesAreRejected(_ text: String) { #expect(Instant(text: text) == nil) }

    static let offsets = [
        ("2026-03-01T08:59:59+09:00", "2026-02-28T23:59:59.000Z"),
        ("2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00.000Z"),
        ("2026-02-28T19:00:00.500-05:00", "2026-03-01T00:00:00.500Z"),
        ("2027-01-01T00:00:00+00:00", "2027-01-01T00:00:00.000Z"),
        ("2026-11-21T00:00:00+23:59", "2026-11-20T00:01:00.000Z"),
        ("2026-11-21T23:59:59-00:30", "2026-11-22T00:29:59.000Z"),
    ]

    @Test(arguments: offsets) func anOffsetMovesTheDate(_ written: String, _ text: String) {
        #expect(Instant(text: written)?.text == text)
    }

    static let first = Instant(milliseconds: .min)
    static let last = Instant(milliseconds: .max)

    @Test("arithmetic stops at the first and the last instant") func saturates() {
        #expect(Self.last.advanced(by: 0) == Self.last)
        #expect(Self.last.advanced(by: 1) == Self.last)
        #expect(Self.last.advanced(by: -1) == Instant(milliseconds: .max - 1))
        #expect(Self.first.advanced(by: -1) == Self.first)
        #expect(Self.first.advanced(by: .min) == Self.first)
        #expect(Self.last.advanced(by: .milliseconds(1)) == Self.last)
        #expect(Instant(milliseconds: 0).advanced(by: .seconds(Int64.max)) == Self.last)
        #expect(Instant(milliseconds: 0).advanced(by: .seconds(Int64.min)) == Self.first)
        #expect(Instant(milliseconds: 5).advanced(by: .microseconds(-1999)) == Instant(milliseconds: 4))
        #expect(Self.last.milliseconds(since: Self.first) == .max)
        #expect(Self.first.milliseconds(since: Self.last) == .min)
        #expect(Self.first.milliseconds(since: Instant(milliseconds: 0)) == .min)
        #expect(Self.last.since(Self.first) == .milliseconds(Int64.max))
        #expect(Instant(milliseconds: 7).since(Instant(milliseconds: 9)) == .milliseconds(-2))
    }
}
