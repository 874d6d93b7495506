import DeviceModel
import Testing
import Time

/// The vectors of the facts (L6) as far as the schedule decides them.
@Suite struct LocalVectorTests {
    @Test("L-35 65 calendar requests, the last one soonest: the latest-firing one is dropped") func l35() throws {
        var phone = LocalPhone()
        for number in 1...64 {
            try phone.add("\(number)", .date { ($0.hour, $0.minute) = (10 + number / 60, number % 60) })
        }
        try phone.add("soonest", .date { $0.hour = 9 })
        #expect(phone.pending.count == 64)
        #expect(phone.pending.contains("soonest"))
        #expect(!phone.pending.contains("64"))
        #expect(phone.details(of: .localDropped) == [.reading(#"{"identifier": "64", "finding": "local.limit64"}"#)])
    }

    @Test("L-37 daily at 02:30 in New York across the change to summer time") func l37() throws {
        var phone = LocalPhone(at: "2027-03-13T12:00:00Z", timeZone: "America/New_York")
        try phone.add("night", .date(repeats: true) { ($0.hour, $0.minute) = (2, 30) })
        phone.advance(to: "2027-03-16T00:00:00Z")
        let calendar = try #require(LocalCalendar(timeZone: "America/New_York"))
        let times = phone.fired.compactMap { Instant(text: String($0.prefix(24))) }.map { calendar.text($0) }
        #expect(times == ["2027-03-14T03:30:00.000-04:00", "2027-03-15T02:30:00.000-04:00"])
    }

    @Test("N7 a trigger without an hour fires in both hours that the clock repeats, and in none that it skips")
    func hourly() throws {
        for (start, end, hours) in [
            ("2027-11-07T04:00:00Z", "2027-11-07T08:00:00Z", ["00:30-04", "01:30-04", "01:30-05", "02:30-05"]),
            ("2027-03-14T05:00:00Z", "2027-03-14T09:00:00Z", ["00:30-05", "01:30-05", "03:30-04", "04:30-04"]),
        ] {
            var phone = LocalPhone(at: start, timeZone: "America/New_York")
            try phone.add("hourly", .date(repeats: true) { $0.minute = 30 })
            phone.advance(to: end)
            let calendar = try #require(LocalCalendar(timeZone: "America/New_York"))
            let times = phone.fired.compactMap { Instant(text: String($0.prefix(24))) }.map { calendar.text($0) }
            #expect(times.map { String($0.dropFirst(11).prefix(5)) + String($0.suffix(6).prefix(3)) } == hours)
        }
    }

    @Test("L-38 ten seconds in a region do not fire, 25 do") func l38() throws {
        var phone = LocalPhone()
        try phone.add("entry", .office(repeats: true))
        try phone.move(35.68, 139.76)
        phone.advance(seconds: 10)
        try phone.move(35.7, 139.76)
        phone.advance(seconds: 100)
        #expect(phone.fired.isEmpty)
        try phone.move(35.68, 139.76)
        phone.advance(seconds: 25)
        #expect(phone.fired.count == 1)
    }
}
