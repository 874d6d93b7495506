import DeviceModel
import Fields
import JSON
import LiveModel
import Testing

@Suite struct LocalScheduleTests {
    private func read(_ trigger: String) throws(FieldError) -> LocalRequest {
        let text = #"{"app": "com.example.app", "identifier": "i", "content": {"body": "b"}, "trigger": \#(trigger)}"#
        return try LocalRequest(json: .reading(text))
    }

    static let impossible = [
        (#"{"type": "timeInterval", "timeInterval": 0}"#, "trigger.timeInterval"),
        (#"{"type": "timeInterval", "timeInterval": -5}"#, "trigger.timeInterval"),
        (#"{"type": "timeInterval", "timeInterval": 59.999, "repeats": true}"#, "local.repeat60"),
        (#"{"type": "timeInterval"}"#, "timeInterval"), (#"{"repeats": true}"#, "trigger.type"),
        (#"{"type": "calendar", "dateComponents": {}}"#, "UNError 1400, notificationInvalidNoDate"),
        (#"{"type": "calendar", "dateComponents": {"weekOfYear": 3}}"#, "weekOfYear"),
        (#"{"type": "calendar", "timeInterval": 5}"#, "dateComponents"),
        (#"{"type": "location", "region": {"identifier": "r", "radius": 5}}"#, "region.radius"),
        (
            #"{"type": "location", "region": {"identifier": "r", "notifyOnEntry": false, "notifyOnExit": false}}"#,
            "region"
        ),
    ]

    @Test("N1, N25 invalid triggers are rejected", arguments: impossible) func n1(_ trigger: String, _ word: String) {
        let error = #expect(throws: FieldError.self) { try read(trigger) }
        let words = error?.problems.map(\.description).joined() ?? ""
        #expect(words.contains(word), "\(words)")
    }

    @Test("N1 an interval of 60 seconds may repeat, and triggers read back unchanged") func n1repeats() throws {
        let forms = [
            #"{"type": "timeInterval", "repeats": true, "timeInterval": 60.5}"#,
            #"{"type": "calendar", "repeats": false, "dateComponents": {"hour": 9, "timeZone": "Asia/Tokyo"}}"#,
            #"{"type": "location", "repeats": true, "region": {"identifier": "beacon", "notifyOnEntry": true, "#
                + #""notifyOnExit": false}}"#,
        ]
        for form in forms {
            let request = try read(form)
            guard case .object(let members) = request.json else { continue }
            #expect(members["trigger"] == .reading(form))
        }
    }

    @Test("N2 an interval counts from the addition in every time zone") func n2() throws {
        var phone = LocalPhone()
        try phone.add("once", .seconds(90))
        try phone.add("again", .seconds(100, repeats: true))
        phone.change { $0.timeZone = "Asia/Tokyo" }
        phone.advance(seconds: 250)
        #expect(
            phone.fired == [
                "2027-01-15T08:01:30.000Z once", "2027-01-15T08:01:40.000Z again", "2027-01-15T08:03:20.000Z again",
            ])
        #expect(phone.pending == ["again"])
        #expect(phone.next("again") == "2027-01-15T08:05:00.000Z", "N3")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var what: String
        var zone = "UTC"
        var after: String
        var next: String?
        var edit: @Sendable (inout DatePattern) -> Void
        var testDescription: String { what }

        init(
            _ what: String, zone: String = "UTC", after: String = "2027-01-15T08:00:00.000Z", _ next: String?,
            _ edit: @escaping @Sendable (inout DatePattern) -> Void
        ) { (self.what, self.zone, self.after, self.next, self.edit) = (what, zone, after, next, edit) }
    }

    static let rows = [
        Row("N4 hour and minute", "2027-01-15T09:30:00.000Z") { ($0.hour, $0.minute) = (9, 30) },
        Row("N4 an hour that is past", "2027-01-16T07:00:00.000Z") { $0.hour = 7 },
        Row("N4 not now", "2027-01-16T08:00:00.000Z") { $0.hour = 8 },
        Row("N4 a minute of every hour", "2027-01-15T08:05:00.000Z") { $0.minute = 5 },
        Row("N4 a second of every minute", "2027-01-15T08:00:30.000Z") { $0.second = 30 },
        Row("N4 a hole in the middle", "2027-01-15T09:00:30.000Z") { ($0.hour, $0.second) = (9, 30) },
        Row("N4 a day", "2027-01-20T00:00:00.000Z") { $0.day = 20 },
        Row("N4 a month", "2027-03-01T00:00:00.000Z") { $0.month = 3 },
        Row("N4 every day of a month", "2027-03-01T09:00:00.000Z") { ($0.month, $0.hour) = (3, 9) },
        Row("N4 a year", "2030-01-01T00:00:00.000Z") { $0.year = 2030 },
        Row("N4 Monday", "2027-01-18T00:00:00.000Z") { $0.weekday = 2 },
        Row("N4 Sunday", "2027-01-17T06:00:00.000Z") { ($0.weekday, $0.hour) = (1, 6) },
        Row("N4 the second Tuesday", "2027-02-09T00:00:00.000Z") { ($0.weekday, $0.weekdayOrdinal) = (3, 2) },
        Row("N4 a quarter", "2027-04-01T00:00:00.000Z") { $0.quarter = 2 },
        Row("N4 Tokyo", zone: "Asia/Tokyo", "2027-01-16T00:00:00.000Z") { $0.hour = 9 },
        Row("N5 a whole date", "2027-12-31T23:59:59.000Z") {
            ($0.year, $0.month, $0.day, $0.hour, $0.minute, $0.second) = (2027, 12, 31, 23, 59, 59)
        },
        Row("N5 a date in the past", nil) { ($0.year, $0.month, $0.day) = (2026, 12, 31) },
        Row("N6 31 February", "2027-03-01T09:00:00.000Z") { ($0.month, $0.day, $0.hour) = (2, 31, 9) },
        Row("N6 31 April", after: "2027-04-15T00:00:00.000Z", "2027-05-01T00:00:00.000Z") { $0.day = 31 },
        Row("N6 29 February", "2027-03-01T00:00:00.000Z") { ($0.month, $0.day) = (2, 29) },
        Row("a leap day", after: "2027-03-01T00:00:00Z", "2028-02-29T00:00:00.000Z") { ($0.month, $0.day) = (2, 29) },
        Row("N7 a skipped time", zone: "America/New_York", after: "2027-03-14T05:00:00Z", "2027-03-14T07:30:00.000Z") {
            ($0.hour, $0.minute) = (2, 30)
        },
        Row("N7 a time twice", zone: "America/New_York", after: "2027-11-07T04:00:00Z", "2027-11-07T05:30:00.000Z") {
            ($0.hour, $0.minute) = (1, 30)
        },
        Row("N7 only once", zone: "America/New_York", after: "2027-11-07T05:30:00Z", "2027-11-08T06:30:00.000Z") {
            ($0.hour, $0.minute) = (1, 30)
        },
        Row("N8 a fixed zone", zone: "Asia/Tokyo", "2027-01-15T09:00:00.000Z") { ($0.hour, $0.timeZone) = (9, "UTC") },
        Row("N9 a zero quarter", nil) { ($0.quarter, $0.hour) = (0, 9) },
    ]

    @Test("N4…N9 the next date of a calendar trigger", arguments: rows) func calendar(_ row: Row) throws {
        var phone = LocalPhone(at: row.after, timeZone: row.zone)
        try phone.add("date", .date(row.edit))
        #expect(phone.next("date") == row.next)
        #expect(phone.pending == (row.next == nil ? [] : ["date"]))
        let never = phone.details(of: .localNeverFires)
        #expect(never.isEmpty == (row.next != nil))
        phone.advance(seconds: 86400 * 1500)
        #expect(phone.fired == (row.next.map { ["\($0) date"] } ?? []))
    }

    @Test("N5, N9 a trigger that never fires is an event, not an error") func n5() throws {
        var phone = LocalPhone()
        try phone.add("past", .date { ($0.year, $0.hour) = (2020, 1) })
        try phone.add("quarter", .date { ($0.quarter, $0.hour) = (0, 1) })
        #expect(
            phone.details(of: .localNeverFires) == [
                .reading(#"{"identifier": "past", "reason": "past", "finding": "local.neverFires"}"#),
                .reading(#"{"identifier": "quarter", "reason": "quarter", "finding": "local.quarter0"}"#),
            ])
        phone.assumptions.localQuarterBlocks = false
        try phone.add("quarter", .date { ($0.quarter, $0.hour) = (0, 9) })
        #expect(phone.next("quarter") == "2027-01-15T09:00:00.000Z")
        try phone.add("past quarter", .date { ($0.year, $0.quarter) = (2020, 0) })
        #expect(phone.details(of: .localNeverFires).last?["finding"] == .string("local.neverFires"))
    }

    @Test("N6, N7 calendar triggers under the other assumptions") func assumptions() throws {
        var phone = LocalPhone(at: "2027-03-01T12:00:00Z", timeZone: "America/New_York")
        phone.assumptions.localImpossibleDay = .skip
        phone.assumptions.localClockGap = .end
        phone.assumptions.localClockFold = .last
        try phone.add("31", .date { ($0.day, $0.hour) = (31, 0) })
        #expect(phone.next("31") == "2027-03-31T04:00:00.000Z")
        try phone.add("gap", .date { ($0.month, $0.day, $0.hour, $0.minute) = (3, 14, 2, 30) })
        #expect(phone.next("gap") == "2027-03-14T07:00:00.000Z")
        try phone.add("fold", .date { ($0.month, $0.day, $0.hour, $0.minute) = (11, 7, 1, 30) })
        #expect(phone.next("fold") == "2027-11-07T06:30:00.000Z")
        try phone.add("never", .date { ($0.month, $0.day) = (2, 30) })
        #expect(!phone.pending.contains("never"))
    }

    @Test("N8 a date without a zone follows the device's zone, a date with one does not") func n8() throws {
        var phone = LocalPhone()
        try phone.add("floating", .date(repeats: true) { $0.hour = 9 })
        try phone.add("fixed", .date(repeats: true) { ($0.hour, $0.timeZone) = (9, "UTC") })
        phone.change { $0.timeZone = "Asia/Tokyo" }
        #expect(phone.next("floating") == "2027-01-16T00:00:00.000Z")
        #expect(phone.next("fixed") == "2027-01-15T09:00:00.000Z")
        try phone.add("once", .date { ($0.year, $0.month, $0.day, $0.hour) = (2027, 1, 15, 18) })
        phone.change { $0.timeZone = "Pacific/Auckland" }
        #expect(phone.identifiers(of: .localNeverFires) == ["once"], "that hour is past there")
    }

    @Test("N15 of 65 requests 64 are retained, chosen by the assumption") func n15() throws {
        var phone = LocalPhone()
        func fill(_ phone: inout LocalPhone) throws {
            try phone.add("region", .office())
            for number in 1...63 { try phone.add("\(number)", .seconds(Double(1000 + number), repeats: true)) }
            #expect(phone.pending.count == 64)
            try phone.add("last", .seconds(5))
        }
        try fill(&phone)
        #expect(phone.identifiers(of: .localDropped) == ["region"])
        try phone.add("other", app: "com.example.other", .seconds(5))
        #expect(phone.details(of: .localDropped).count == 1, "each app has its own limit")
        try phone.add("latest", .seconds(9999))
        #expect(phone.identifiers(of: .localDropped) == ["region", "latest"])
        var other = LocalPhone()
        other.assumptions.localKeeps = .lastAdded
        try fill(&other)
        try other.add("latest", .seconds(9999))
        #expect(other.identifiers(of: .localDropped) == ["region", "1"])
    }

    @Test("N16 an identifier that is pending is replaced at once, per app") func n16() throws {
        var phone = LocalPhone()
        try phone.add("i", .seconds(10))
        try phone.add("j", .seconds(20))
        try phone.add("i", app: "com.example.other", .seconds(10))
        try phone.add("i", .seconds(30))
        #expect(phone.pending == ["j", "i", "i"])
        #expect(phone.next("i") == "2027-01-15T08:00:10.000Z", "the other app's")
        let replaced = #"{"identifier": "i", "nextTriggerDate": "2027-01-15T08:00:30.000Z", "replaces": true}"#
        #expect(phone.details(of: .localScheduled).last == .reading(replaced))
        try phone.add("i", nil)
        #expect(phone.pending == ["j", "i"])
        #expect(phone.fired == ["2027-01-15T08:00:00.000Z i"], "N14")
    }

    @Test("N18 removing ignores unknown and fired identifiers") func n18() throws {
        var phone = LocalPhone()
        try phone.add("fired", .seconds(1))
        for identifier in ["a", "b", "c"] { try phone.add(identifier, .seconds(60)) }
        try phone.add("other", app: "com.example.other", .seconds(60))
        phone.advance(seconds: 2)
        try phone.perform(.removePending(identifiers: ["fired", "b", "other", "none"], app: LocalPhone.app))
        #expect(phone.pending == ["a", "c", "other"])
        try phone.perform(.removeAllPending(app: LocalPhone.app))
        #expect(phone.pending == ["other"])
        try phone.perform(.removeAllPending(app: nil))
        #expect(phone.schedule == LiveState().local)
    }

    @Test("N20 adding without permission is an error; revoking it later changes nothing") func n20() throws {
        var phone = LocalPhone()
        try phone.add("before", .seconds(10))
        phone.settings.authorizationStatus = .denied
        let error = #expect(throws: DeviceError.self) { try phone.add("after", .seconds(10)) }
        #expect(error?.kind == .conflict)
        #expect(error?.message.contains("UNError 1, notificationsNotAllowed") == true)
        #expect(phone.pending == ["before"])
        phone.assumptions.localNeedsPermission = false
        try phone.add("after", .seconds(10))
    }

    @Test("N23 at the next start a missed one-shot is delivered, a repeating one skipped") func n23() throws {
        for isDelivered in [true, false] {
            var phone = LocalPhone()
            phone.assumptions.localDeliversMissed = isDelivered
            try phone.add("late", .seconds(30))
            try phone.add("once", .seconds(10))
            try phone.add("again", .seconds(60, repeats: true))
            try phone.add("daily", .date(repeats: true) { ($0.hour, $0.minute) = (8, 1) })
            phone.change { $0.isPoweredOn = false }
            phone.advance(seconds: 150)
            phone.change { $0.isPoweredOn = true }
            let start = "2027-01-15T08:02:30.000Z"
            #expect(phone.fired == (isDelivered ? ["\(start) once", "\(start) late"] : []))
            #expect(phone.details(of: .localNeverFires).count == (isDelivered ? 0 : 2))
            #expect(phone.next("again") == "2027-01-15T08:03:00.000Z")
            #expect(phone.next("daily") == "2027-01-16T08:01:00.000Z")
        }
    }

    @Test("N24 requests due at one instant fire in order of addition") func n24() throws {
        var phone = LocalPhone()
        for identifier in ["c", "a", "b"] { try phone.add(identifier, .seconds(10)) }
        try phone.add("c", .seconds(10))
        try phone.add("first", .seconds(9))
        phone.advance(seconds: 10)
        #expect(phone.fired.map { String($0.dropFirst(25)) } == ["first", "a", "b", "c"])
    }

    @Test("N25 empty content is an error; a badge or a sound is enough") func n25() throws {
        var phone = LocalPhone()
        var request = LocalRequest(app: LocalPhone.app, identifier: "i", content: NotificationContent())
        let error = #expect(throws: DeviceError.self) { try phone.perform(.add(request)) }
        #expect(error?.message.contains("UNError 1401, notificationInvalidNoContent") == true)
        request.content.badge = 0
        try phone.perform(.add(request))
        request.content.badge = nil
        request.content.sound = .default
        try phone.perform(.add(request))
        request.content.body = String(repeating: "x", count: LocalSchedule.contentByteCount)
        #expect(throws: DeviceError.self) { try phone.perform(.add(request)) }
    }
}
