import TestSupport
import Testing
import Time

@testable import DeviceModel

@Suite struct SummarySettingsTests {
    @Test(
        "S0-8 H.4 a summary appears at its next scheduled time",
        arguments: [
            ("UTC", "08:00 18:00", "2026-01-05T00:00:00Z", "2026-01-05T08:00:00.000Z"),
            ("UTC", "08:00 18:00", "2026-01-05T08:00:00Z", "2026-01-05T18:00:00.000Z"),
            ("UTC", "18:00 08:00", "2026-01-05T18:00:00Z", "2026-01-06T08:00:00.000Z"),
            ("Asia/Tokyo", "08:00 18:00", "2026-01-05T00:00:00Z", "2026-01-05T09:00:00.000Z"),
            ("America/New_York", "02:15 02:45", "2026-03-08T05:00:00Z", "2026-03-08T07:00:00.000Z"),
            ("America/New_York", "02:15 02:45", "2026-03-08T07:00:00Z", "2026-03-09T06:15:00.000Z"),
            ("America/New_York", "01:30", "2026-11-01T05:30:00Z", "2026-11-02T06:30:00.000Z"),
            ("Europe/Berlin", "08:00", "2026-03-28T07:00:00Z", "2026-03-29T06:00:00.000Z"),
        ])
    func next(zone: String, times: String, after: String, next: String) throws {
        var settings = SummarySettings()
        settings.isEnabled = true
        settings.times = try times.split(separator: " ").map { try WallTime.reading(String($0)) }
        let calendar = try #require(LocalCalendar(timeZone: zone))
        #expect(settings.nextDelivery(after: try .reading(after), calendar: calendar)?.text == next)
    }

    @Test("No summary appears if it is off or has no times") func none() throws {
        let calendar = try #require(LocalCalendar(timeZone: "UTC"))
        var settings = SummarySettings()
        #expect(settings.nextDelivery(after: Instant(milliseconds: 0), calendar: calendar) == nil)
        (settings.isEnabled, settings.times) = (true, [])
        #expect(settings.nextDelivery(after: Instant(milliseconds: 0), calendar: calendar) == nil)
    }
}

@Suite("H.5 the order of a summary") struct SummaryCardTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var what: String
        var items: [SummaryItem]
        var featured: [UInt64]
        var groups: [String]
        var edit: @Sendable (inout Assumptions) -> Void
        var testDescription: String { what }

        init(
            _ what: String, _ items: [SummaryItem], featured: [UInt64], _ groups: [String] = [],
            _ edit: @escaping @Sendable (inout Assumptions) -> Void = { _ in }
        ) { (self.what, self.items, self.featured, self.groups, self.edit) = (what, items, featured, groups, edit) }
    }

    static func item(
        _ sequence: UInt64, _ app: String, _ relevance: Double = 0, media: Bool = false, thread: String = ""
    ) -> SummaryItem {
        SummaryItem(sequence: sequence, app: app, relevanceScore: relevance, hasMedia: media, thread: thread)
    }

    static let rows = [
        Row("one alone is featured", [item(1, "a")], featured: [1]),
        Row(
            "S0-11 the most relevant of an app is featured", [item(1, "a", 0.9), item(2, "a", 0.1), item(3, "b", 0.2)],
            featured: [1, 3], ["a: 2"]),
        Row(
            "S0-10 media help to be featured", [item(1, "a", media: true), item(2, "a", 0.4), item(3, "b", 0.1)],
            featured: [1, 3], ["a: 2"]),
        Row(
            "S0-10 relevance may outweigh media", [item(1, "a", media: true), item(2, "a", 0.6), item(3, "b", 0.1)],
            featured: [2, 3], ["a: 1"]),
        Row(
            "from different apps, although one app has the two best",
            [item(1, "a", 1), item(2, "a", 0.9), item(3, "b", 0.1)], featured: [1, 3], ["a: 2"]),
        Row(
            "from one app when there is no other", [item(1, "a", 0.1), item(2, "a", 0.2), item(3, "a", 0.3)],
            featured: [3, 2], ["a: 1"]),
        Row("newer ones first", [item(1, "a"), item(2, "b"), item(3, "c")], featured: [3, 2], ["a: 1"]),
        Row(
            "the rest by app, the app with the best first",
            [item(1, "x", 1), item(2, "y", 1), item(3, "a", 0.1), item(4, "b", 0.2), item(5, "a", 0.3), item(6, "b")],
            featured: [2, 1], ["a: 5 3", "b: 4 6"]),
        Row(
            "apps of equal relevance: the newest first",
            [item(1, "x", 1), item(2, "y", 1), item(3, "a"), item(4, "b"), item(5, "c")], featured: [2, 1],
            ["c: 5", "b: 4", "a: 3"]),
        Row(
            "a thread stays together",
            [
                item(1, "x", 1), item(2, "y", 1), item(3, "a", 0.1, thread: "t"), item(4, "a", 0.2, thread: "u"),
                item(5, "a", 0.3, thread: "t"),
            ], featured: [2, 1], ["a: 5 3 4"]),
        Row("nothing featured", [item(1, "a"), item(2, "b")], featured: [], ["b: 2", "a: 1"]) {
            $0.summaryFeaturedCount = 0
        },
        Row(
            "three featured", [item(1, "a", 1), item(2, "a", 0.9), item(3, "a", 0.8), item(4, "b")],
            featured: [1, 2, 4],
            ["a: 3"]
        ) { $0.summaryFeaturedCount = 3 },
        Row(
            "media weigh nothing", [item(1, "a", media: true), item(2, "a"), item(3, "b")], featured: [3, 2], ["a: 1"]
        ) {
            $0.summaryMediaWeight = 0
        },
    ]

    @Test("H.5 featured notifications come first, then the rest by app", arguments: rows)
    func orders(_ row: Row) throws {
        let assumptions = Assumptions.with(row.edit)
        for items in [row.items, row.items.reversed()] {
            let card = try #require(SummaryCard(of: items, assumptions: assumptions))
            #expect(card.featured == row.featured)
            #expect(card.groups.map { "\($0.app): \($0.items.map(String.init).joined(separator: " "))" } == row.groups)
            #expect(card.order.sorted() == items.map(\.sequence).sorted(), "S0-9 everything that waited is in it")
        }
    }

    @Test("H.4 without waiting notifications there is no card") func empty() {
        #expect(SummaryCard(of: [], assumptions: Assumptions()) == nil)
    }
}
