import APNs
import Testing

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

    @Test func everyDayOfFourCenturiesComesBack() {
        for day in stride(from: Int64(-200_000), to: 200_000, by: 1) {
            let instant = Instant(wholeSeconds: day * 86400)
            if Instant(text: instant.text) != instant { Issue.record("day \(day): \(instant.text)") }
        }
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T07:38:04", "2026-13-21T07:38:04Z", "2026-11-21 07:38:04Z", "x026-11-21T07:38:04Z",
    ])
    func otherTextsAreNone(_ text: String) { #expect(Instant(text: text) == nil) }
}
