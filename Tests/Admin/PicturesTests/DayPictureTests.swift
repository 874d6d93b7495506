import DeviceModel
import Foundation
import FoundationXML
import Pictures
import TestSupport
import Testing
import Time

@Suite struct DayPictureTests {
    // MARK: Days

    private static func day(
        _ date: String, zone: String = "Europe/Berlin", device: String = "alice", now: Int = 21 * 60 + 5,
        _ edit: (inout DeviceDay) -> Void = { _ in }
    ) throws -> DeviceDay {
        let calendar = try #require(LocalCalendar(timeZone: zone))
        let date = try #require(LocalDate(text: date))
        var day = DeviceDay(
            device: device, date: date, timeZone: zone, calendar: calendar, now: Instant(milliseconds: 0))
        day.now = day.at(now)
        edit(&day)
        return day
    }

    /// The day of the documentation: four apps, two Focuses, an outage, two summaries.
    private static func busy() throws -> DeviceDay {
        try day("2026-11-22") { day in
            day.focus = [day.focus("Sleep", 0, 420), day.focus("Work", 540, 1020)]
            day.outages = [.init(kind: .offline, range: day.at(770)..<day.at(835))]
            day.summaries = [
                .init(at: day.at(480), notifications: [9]), .init(at: day.at(1080), notifications: [10, 11]),
            ]
            day.lanes = [
                day.lane(
                    "chat", "Chatter",
                    [
                        day.push(1, 385, "Noor: Ok!", .quiet),
                        day.push(2, 505, "Mia Chen: Dinner?", .alerted) {
                            $0.extension = .init(range: day.at(505)..<day.at(506), end: .answered)
                        },
                        day.push(3, 612, "Mia Chen", .quiet), day.push(4, 785, "superseded", .dropped),
                        day.push(5, 798, "Mia: where are you?", .alerted, shown: 835),
                        day.push(6, 1110, "Mia Chen", .alerted) {
                            $0.extension = .init(range: day.at(1110)..<day.at(1124), end: .expired)
                        },
                    ]),
                day.lane(
                    "news", "Daily",
                    [
                        day.push(9, 330, "Morning", .deferred, shown: 480),
                        day.push(10, 655, "Bridge", .deferred, .passive, shown: 1080),
                        day.push(11, 905, "Recipes", .deferred, shown: 1080),
                    ]),
                day.lane(
                    "bank", "Cote Bank",
                    [
                        day.push(7, 702, "New sign-in", .alerted, .timeSensitive),
                        day.push(8, 1180, "Payment declined", .alerted, .timeSensitive),
                    ]),
                day.lane(
                    "oven", "Oven",
                    [
                        day.push(13, 940, "background", .other, nil), day.push(12, 1225, "Smoke", .alerted, .critical),
                        day.push(14, 1260, "Coffee", .waiting),
                    ]),
            ]
        }
    }

    /// More apps than lanes, and pushes that share marks.
    private static func crowded() throws -> DeviceDay {
        try day("2026-11-23", zone: "UTC", now: 1500) { day in
            day.lanes = (0..<15).map { app in
                day.lane(
                    "app\(app)", "App \(app)",
                    (0..<(30 - 2 * app)).map { index in
                        let outcome = PushOutcome.allCases[(index + app) % 6]
                        return day.push(UInt64(100 * app + index + 1), index * 17 + app * 20, "Push \(index)", outcome)
                    })
            }
        }
    }

    private static func golden(_ name: String) throws -> DeviceDay {
        switch name {
        case "empty": try day("2026-11-22", zone: "UTC", now: 725) { $0.summaries = [.init(at: $0.at(1080))] }
        case "crowded": try crowded()
        case "23-hours":
            try day("2026-03-29", now: 600) { $0.lanes = [$0.lane("a", "A", [$0.push(1, 300, "Hi", .alerted)])] }
        case "25-hours":
            try day("2026-10-25", now: 600) { $0.lanes = [$0.lane("a", "A", [$0.push(1, 300, "Hi", .alerted)])] }
        default: try busy()
        }
    }

    @Test(
        "A day's picture matches its golden file",
        arguments: [
            ("busy", Appearance.light), ("busy", .dark), ("busy", .auto), ("empty", .light), ("crowded", .light),
            ("23-hours", .light), ("25-hours", .light),
        ])
    func equalsGolden(_ name: String, _ appearance: Appearance) throws {
        let file = Golden.folder("Admin/PicturesTests").appending(path: "day-\(name)-\(appearance.rawValue).svg")
        let svg = DayPicture(try Self.golden(name), appearance: appearance).svg
        #expect(try Golden.difference(between: svg + "\n", and: file) == nil)
    }

    // MARK: Time

    @Test("Hours are placed by elapsed time: after 02:00, they are earlier on a 23-hour day, later on a 25-hour day")
    func hoursFollowTheClock() throws {
        func x(_ date: String) throws -> Double {
            let svg = DayPicture(try Self.day(date), appearance: .light).svg
            let label = try #require(svg.range(of: #">03:00<"#))
            let element = try #require(svg[..<label.lowerBound].range(of: #"x=""#, options: .backwards))
            return try #require(Double(svg[element.upperBound...].prefix { $0 != "\"" }))
        }
        #expect(try x("2026-06-01") == 132 + 812 * 3 / 24)
        #expect(try abs(x("2026-03-29") - (132 + 812.0 * 2 / 23)) < 0.1)
        #expect(try abs(x("2026-10-25") - (132 + 812.0 * 4 / 25)) < 0.1)
    }

    @Test("The line for now appears only on its own day") func nowIsToday() throws {
        let today = DayPicture(try Self.day("2026-11-22"), appearance: .light).svg
        #expect(today.contains(">21:05<"))
        let past = try Self.day("2026-11-22") { $0.now = $0.range.upperBound }
        #expect(!DayPicture(past, appearance: .light).svg.contains(">21:05<"))
    }

    @Test("Intervals that extend beyond the day are clipped") func edges() throws {
        let day = try Self.day("2026-11-22") { day in
            day.lanes = [day.lane("a", "A", [day.push(1, -60, "Late", .deferred, shown: 480)])]
        }
        let svg = DayPicture(day, appearance: .light).svg
        #expect(svg.contains("<title>2026-11-21 23:00 Late (active, for the summary 08:00)</title>"))
        #expect(svg.contains(#"<circle cx="132" "#))
    }

    // MARK: Marks

    @Test("Pushes within 7 px share a mark with their count, in the most severe one's colour") func cluster() throws {
        let day = try Self.day("2026-11-22") { day in
            day.lanes = [
                day.lane(
                    "a", "A",
                    [
                        day.push(1, 600, "One", .quiet), day.push(2, 603, "Two", .dropped),
                        day.push(3, 606, "Three", .alerted), day.push(4, 1000, "Four", .alerted),
                    ])
            ]
        }
        let svg = DayPicture(day, appearance: .light).svg
        #expect(svg.contains("<title>10:00–10:06 3 pushes: 1 dropped, 1 alerted, 1 quiet (One; Two; Three)</title>"))
        #expect(svg.contains(#"data-notification="2""#) && svg.contains(#"data-notification="4""#))
        #expect(svg.components(separatedBy: "data-notification").count == 3)
        #expect(svg.contains(">3</text>"))
    }

    @Test("The axis fits pushes of a few minutes, and long names have two lines") func partOfADay() throws {
        let day = try Self.day("2026-11-22") { day in
            day.focus = [day.focus("Work", 540, 1020), day.focus("Sleep", 1380, 1440)]
            day.lanes = [
                day.lane(
                    "a", "com.example.kitchen", [day.push(1, 1204, "One", .alerted), day.push(2, 1208, "Two", .quiet)])
            ]
        }
        let svg = DayPicture(day, appearance: .light).svg
        #expect(svg.contains(">20:06:30<") && !svg.contains(">03:00<") && !svg.contains("Sleep"))
        #expect(svg.components(separatedBy: "data-notification").count == 3)
        #expect(svg.contains(">com.exa") && !svg.contains("…"))
    }

    @Test("A Focus too narrow for its name shows it only as a tooltip") func narrowFocus() throws {
        let day = try Self.day("2026-11-22") { $0.focus = [$0.focus("Deep work", 600, 640)] }
        let svg = DayPicture(day, appearance: .light).svg
        #expect(svg.contains("<title>Deep work 10:00–10:40</title>") && !svg.contains(">Deep work</text>"))
    }

    @Test("Apps after the twelfth share a lane") func lanes() throws {
        let svg = DayPicture(try Self.crowded(), appearance: .light).svg
        #expect(svg.contains(">other apps<") && svg.contains(">App 11<") && !svg.contains(">App 12<"))
        #expect(svg.contains(#"height="762""#), "13 lanes")
    }

    @Test("10,000 pushes make at most 2,000 marks, quickly") func bounds() throws {
        let day = try Self.day("2026-11-23") { day in
            day.lanes = (0..<40).map { app in
                day.lane(
                    "app\(app)", "App \(app)",
                    (0..<250).map { index in
                        let start = (index * 37 + app * 11) % 1440
                        return day.push(
                            UInt64(app * 250 + index + 1), start, String(repeating: "<&>", count: 26), .alerted,
                            shown: index % 3 == 0 ? min(1439, start + 200) : nil)
                    })
            }
        }
        let clock = ContinuousClock()
        var svg = ""
        let time = clock.measure { svg = DayPicture(day, appearance: .light).svg }
        let marks =
            svg.components(separatedBy: "data-notification").count + svg.components(separatedBy: "<circle").count
        #expect(marks < 4000 && svg.components(separatedBy: "data-notification").count <= 2000)
        #expect(svg.utf8.count < 1 << 20)
        #expect(time < .seconds(5))
    }

    @Test("Hostile names are escaped") func hostileNames() throws {
        let pieces = [
            "<script>", "</text>", "]]>", "&#0;", "\"", "'", "\u{0}", "\u{1F}", "\u{FFFE}", "\u{202E}", "\u{2067}",
            "\n",
            "e\u{301}", "👨‍👩‍👧‍👦", "מחר", "会議、", "url(#x)", "http://a.example", " ", "WWWW", "\u{301}",
        ]
        var random = SplitMix(state: 18)
        func text(_ count: UInt64) -> String {
            (0..<random.next() % (count + 1)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
        }
        for round in 0..<200 {
            let day = try Self.day("2026-11-22", device: text(20)) { day in
                day.focus = [day.focus(text(10), 60, 600), day.focus(text(10), 700, 720)]
                day.lanes = (0..<14).map { app in
                    day.lane(
                        text(3), text(20),
                        (0..<5).map { day.push(UInt64($0 + 1), app * 60 + $0 * 30, text(20), .alerted) })
                }
            }
            let svg = DayPicture(day, appearance: Appearance.allCases[round % 3]).svg
            #expect(XMLParser(data: Data(svg.utf8)).parse(), "round \(round)")
            #expect(!svg.contains("<script") && !svg.contains("\u{0}") && svg.utf8.count < 64 << 10)
        }
    }
}

// MARK: Shorthand

extension DeviceDay {
    /// Keyed by minutes of elapsed time.
    fileprivate func at(_ minute: Int) -> Instant { range.lowerBound.advanced(by: Int64(minute) * 60_000) }

    fileprivate func focus(_ name: String, _ from: Int, _ to: Int) -> FocusPeriod {
        FocusPeriod(id: name, name: name, range: at(from)..<at(to))
    }

    fileprivate func lane(_ app: String, _ name: String, _ pushes: [Push]) -> Lane {
        Lane(app: "com.example.\(app)", name: name, pushes: pushes)
    }

    fileprivate func push(
        _ number: UInt64, _ minute: Int, _ text: String, _ outcome: PushOutcome, _ level: InterruptionLevel? = .active,
        shown: Int? = nil, _ edit: (inout Push) -> Void = { _ in }
    ) -> Push {
        var push = Push(
            notification: number, text: text, level: level, outcome: outcome, receivedAt: at(minute),
            settledAt: at(minute), shownAt: shown.map(at))
        edit(&push)
        return push
    }
}
