import APNs
import DeviceModel
import Fields
import JSON
import SiriModel
import Testing

@testable import DeviceSimulator

/// Donations on a device (S1, F.1).
@Suite struct DonationTests {
    static let weather = "com.example.weather"

    static func checkWeather(_ city: String, _ identifier: String, group: String? = nil) -> Donation {
        Donation(
            identifier: identifier, groupIdentifier: group,
            intent: ["class": .string("CheckWeatherIntent"), "location": ["identifier": .string(city)]])
    }

    @Test("S1-8 a donation is stored with its context and reported as an event") func stores() throws {
        let phone = Phone { $0.timeZone = "Asia/Tokyo" }
        try phone.act(.wake)
        phone.wait(.seconds(360))
        let events = try phone.donate(Self.checkWeather("cupertino", "1"))
        #expect(events.map(\.kind) == [.donation])
        #expect(events.first?.app == Self.weather)
        #expect(
            events.first?.details["context"] == [
                "minuteOfDay": .integer(546), "weekday": .integer(2), "sinceWakeMin": .integer(6),
            ])
        #expect(phone.simulator.siri(of: Phone.name).donations.entries.map(\.donation.identifier) == ["1"])
    }

    @Test("S1-11 donations are deleted by identifier and by group; uninstalling an app deletes all of its donations")
    func deletes() throws {
        let phone = Phone()
        for (identifier, group) in [("1", "san-diego"), ("2", "san-diego"), ("3", nil), ("4", nil)] {
            try phone.donate(Self.checkWeather("x", identifier, group: group))
        }
        var left: [String] { phone.simulator.siri(of: Phone.name).donations.entries.map(\.donation.identifier) }
        try phone.perform(.donation(.delete(.group("san-diego")), app: Self.weather, .foreground))
        #expect(left == ["3", "4"])
        try phone.perform(.donation(.delete(.identifiers(["3", "unknown"])), app: Phone.chat, .foreground))
        #expect(left == ["3", "4"], "only the app's own")
        try phone.perform(.donation(.delete(.identifiers(["3", "unknown"])), app: Self.weather, .foreground))
        #expect(left == ["4"])
        try phone.act(.uninstall(app: Self.weather))
        #expect(left.isEmpty)
    }

    @Test("F.1 an app that is not running cannot donate, nor can any on a phone that is off") func refuses() throws {
        let phone = Phone()
        phone.simulator.put(App(bundleID: Self.weather))
        try phone.act(.terminate(app: Self.weather))
        #expect(throws: SimulatorError.self) { try phone.donate(Self.checkWeather("x", "1")) }
        try phone.act(.open(app: Self.weather))
        try phone.donate(Self.checkWeather("x", "1"))
        phone.change { $0.isPoweredOn = false }
        #expect(throws: SimulatorError.poweredOff(Phone.name)) { try phone.donate(Self.checkWeather("x", "2")) }
    }

    @Test("uninstalling an app ends the suggestion to check in with it") func endsCheckIn() throws {
        let phone = Phone()
        _ = phone.registration(Phone.chat, .app)
        try phone.book(from: .app(Phone.chat))
        #expect(phone.events(.suggestion).contains { $0.text("kind") == "checkIn" })
        let events = try phone.act(.uninstall(app: Phone.chat))
        #expect(events.contains { $0.kind == .suggestionEnded })
    }
}

extension Reservation {
    /// A table ten hours after the tests begin. Its check-in, which has no web page, is possible at once.
    static func table() throws -> Reservation {
        let text = #"""
            {"class":"INRestaurantReservation","itemReference":{"id":"R1","spoken":"Table"},
             "reservationStatus":"confirmed","partySize":2,"restaurantLocation":{"name":"Ginza"},
             "reservationDuration":{"start":{"local":"2026-01-05T19:00:00","tz":"Asia/Tokyo"}},
             "actions":[{"type":"checkIn","userActivity":{"activityType":"com.example.checkin"},
               "validDuration":{"start":{"local":"2026-01-05T08:00:00","tz":"Asia/Tokyo"},
                                "end":{"local":"2026-01-05T18:00:00","tz":"Asia/Tokyo"}}}]}
            """#
        let value = JSONValue(Array(text.utf8).span.bytes)
        return try Reservation(json: try #require(value))
    }
}

extension Phone {
    @discardableResult
    func donate(_ donation: Donation, app: String = DonationTests.weather) throws(SimulatorError) -> [DeviceEvent] {
        try perform(.donation(.donate(donation), app: app, .foreground))
    }
}
