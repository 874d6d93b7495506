import JSON
import TestSupport
import Testing
import Time

@testable import DeviceModel
@testable import SiriModel

/// Patterns of repeated donations (F.3).
@Suite struct PredictorTests {
    @Test(
        "S1-13 S1-17 the weather after waking on three days is suggested on the fourth, at the same time after waking")
    func afterWaking() throws {
        var lab = Lab()
        // At a different time each day, so that only the time since waking is a pattern.
        for (day, hour) in [(1, 6), (2, 8), (3, 10)] as [(Int64, Int)] {
            lab.wait(until: WallTime(hour: hour, minute: 0).text, day: day)
            lab.wake()
            lab.wait(until: WallTime(hour: hour, minute: 6).text, day: day)
            try lab.donate(Lab.weather("cupertino"))
        }
        lab.wait(until: "12:00", day: 4)
        #expect(lab.verdicts == [.notAwake])
        #expect(lab.predictions[0].trace.last?.rule == "P9")
        lab.wake()
        lab.wait(until: "12:06", day: 4)
        let prediction = try #require(lab.predictions.first)
        #expect(prediction.verdict == .suggested)
        #expect(prediction.trace.last?.rule == "P12")
        #expect(prediction.sentence == "3 of 4 days, 6 min after waking: suggested now")
        #expect(lab.shown(.lockScreen).map(\.id) == ["com.example.weather/CheckWeatherIntent|location=cupertino"])
    }

    @Test("every question reads well without a pattern and with one") func questions() throws {
        var lab = Lab()
        try lab.checkWeather(days: 3)
        lab.wait(until: "06:36", day: 4)
        var prediction = try #require(lab.predictions.first)
        #expect(prediction.pattern != nil)
        for _ in 0..<2 {
            for rule in predictionTable.rows { #expect(Sentences.problem(in: rule.question(prediction)) == nil) }
            prediction.pattern = nil
        }
    }

    @Test("S1-13 it is suggested from 30 minutes before to 30 minutes after, both included") func tolerance() throws {
        var lab = Lab()
        try lab.checkWeather(days: 3)
        for (time, verdict) in [
            ("06:35", PredictionVerdict.notNow), ("06:36", .suggested), ("07:36", .suggested), ("07:37", .notNow),
        ] {
            lab.wait(until: time, day: 4)
            #expect(lab.verdicts == [verdict], "\(time)")
            #expect(lab.predictions[0].trace.last?.rule == (verdict == .notNow ? "P11" : "P12"))
        }
    }

    @Test("S1-13 a suggestion appears and ends as an event when time passes") func events() throws {
        var lab = Lab()
        try lab.checkWeather(days: 3)
        var changes: [(String, DeviceEvent.Kind)] = []
        while let due = lab.siri.due(after: lab.now), due < Instant(text: "2026-01-05T00:00:00Z")! {
            let before = lab.events.count
            lab.now = due
            lab.advance()
            changes += lab.events[before...].map { (due.text, $0.kind) }
        }
        #expect(changes.map(\.1) == [.suggestion, .suggestionEnded])
        #expect(changes.map(\.0) == ["2026-01-04T06:36:00.000Z", "2026-01-04T07:36:00.001Z"])
    }

    @Test("S1-26 a combination with the date makes every order a different action; without it, a pattern appears")
    func coffee() throws {
        for (combination, expected) in [(["item", "size", "date"], []), (["item", "size"], ["Order large latte"])] {
            var lab = Lab()
            let parameters = ["item": "Object<Item>", "size": "Enum<Size>", "date": "DateComponents"]
            var definition = Lab.intent("OrderCoffeeIntent", parameters, [combination])
            definition.combinations[0].title = "Order ${size} ${item}"
            lab.define(Lab.coffee, definition)
            for day in 7...9 as ClosedRange<Int64> {
                lab.wait(until: "07:10", day: day)
                lab.wake()
                try lab.donate(
                    [
                        "class": .string("OrderCoffeeIntent"), "size": .string("large"),
                        "item": ["identifier": .string("latte"), "displayString": .string("latte")],
                        "date": .string("2021-06-0\(day)"),
                    ], app: Lab.coffee)
            }
            lab.wait(until: "07:10", day: 10)
            lab.wake()
            #expect(lab.titles(.lockScreen) == expected)
            if expected.isEmpty {
                #expect(lab.predictions.count == 3)
                #expect(lab.predictions.allSatisfy { $0.verdict == .fewDays && $0.pattern?.hits == 1 })
            }
        }
    }

    @Test("S1-11 S1-12 deleting a group ends its suggestions at once") func deletes() throws {
        var lab = Lab()
        try lab.checkWeather(days: 3, city: "san-diego", group: "san-diego")
        lab.wait(until: "07:06", day: 4)
        #expect(lab.titles(.spotlight).count == 1)
        let events = try lab.perform(.delete(.group("san-diego")))
        #expect(events.map(\.kind) == [.suggestionEnded])
        #expect(lab.predictions.isEmpty)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var verdict: PredictionVerdict
        var rule: String
        var edit: @Sendable (inout Lab) throws -> Void
        var testDescription: String { name }

        init(
            _ name: String, _ verdict: PredictionVerdict, by rule: String,
            _ edit: @escaping @Sendable (inout Lab) throws -> Void
        ) { (self.name, self.verdict, self.rule, self.edit) = (name, verdict, rule, edit) }
    }

    static let rows = [
        Row("suggested", .suggested, by: "P12") { _ in },
        Row("S1-5 eligibleForSuggestions is off", .ineligible, by: "P2") {
            $0.apps[Lab.weather]?.intents?[0].eligibleForSuggestions = false
        },
        Row("dismissed today", .handled, by: "P5") { lab in
            lab.siri.suggestions.handle("com.example.weather/CheckWeatherIntent|location=cupertino", lab.context)
        },
        Row("done today", .done, by: "P10") { try $0.donate(Lab.weather("cupertino")) },
        Row("done today at another time", .suggested, by: "P12") { lab in
            lab.wait(until: "20:00", day: 3)
            try lab.donate(Lab.weather("cupertino"))
            lab.wait(until: "07:06", day: 4)
        },
        Row("always shown", .suggested, by: "P6") { lab in
            lab.device.alwaysShowsSuggestions = true
            lab.wait(until: "20:00", day: 4)
        },
        Row("S1-13 too few days by the assumption", .fewDays, by: "P7") { $0.assumptions.predictionDays = 4 },
        Row("too irregular by the assumption", .irregular, by: "P8") { $0.assumptions.predictionRatio = 0.76 },
        Row("the ratio itself is enough", .suggested, by: "P12") { $0.assumptions.predictionRatio = 0.75 },
    ]

    @Test(arguments: rows) func decides(_ row: Row) throws {
        var lab = Lab()
        try lab.checkWeather(days: 3)
        lab.wait(until: "07:06", day: 4)
        try row.edit(&lab)
        let prediction = try #require(lab.predictions.first)
        #expect(prediction.verdict == row.verdict, "\(prediction.sentence)")
        #expect(prediction.trace.last?.rule == row.rule)
    }

    @Test("F.2 reservations and incomplete intents are never suggested, and incoming ones do not count")
    func never() throws {
        var lab = Lab()
        try lab.donate(["class": .string("INGetReservationDetailsIntent")])
        #expect(lab.verdicts == [.reservation])
        try lab.perform(.delete(.all))
        try lab.donate(["class": .string("CheckWeatherIntent")])
        #expect(lab.verdicts == [.noCombination])
        try lab.perform(.delete(.all))
        let message: JSONValue = ["class": .string("INSendMessageIntent"), "conversationIdentifier": .string("c")]
        try lab.donate(message, direction: .incoming)
        #expect(lab.verdicts == [.incoming])
        try lab.donate(message, direction: .outgoing)
        #expect(lab.verdicts == [.fewDays])
    }

    @Test("every verdict has a rule") func isComplete() {
        #expect(Set(predictionTable.rows.map(\.verdict)) == Set(PredictionVerdict.allCases))
    }

    @Test("F.3 a donation's day is that of the time zone in which it was made") func moves() throws {
        var lab = Lab()
        lab.device.timeZone = "Asia/Tokyo"
        for day in 1...3 as ClosedRange<Int64> {
            // 07:00 in Tokyo.
            lab.wait(until: "22:00", day: day)
            try lab.donate(Lab.weather("x"))
        }
        lab.device.timeZone = "America/Los_Angeles"
        lab.wait(until: "15:00", day: 5)
        let pattern = try #require(lab.predictions.first?.pattern)
        // 2 to 4 January in Tokyo; 1 to 3 January in Los Angeles.
        #expect((pattern.minute, pattern.hits, pattern.days) == (420, 3, 4))
    }

    @Test("what was dismissed may be suggested again from midnight on") func midnight() {
        var lab = Lab()
        lab.siri.suggestions.handle("reservation/1/maps", lab.context)
        lab.advance()
        #expect(lab.siri.due(after: lab.now) == Instant(text: "2026-01-02T00:00:00Z"))
        lab.wait(until: "00:00", day: 2)
        #expect(lab.siri.isEmpty && lab.siri.due(after: lab.now) == nil)
    }
}
