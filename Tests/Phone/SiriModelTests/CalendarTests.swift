import APNs
import DeviceModel
import Fields
import JSON
import LiveModel
import SiriModel
import TestSupport
import Testing
import Time

@Suite struct CalendarTests {
    /// The event's act, rule and findings.
    struct Row: CustomTestStringConvertible {
        let name: String
        let act: String
        let rule: String
        let finding: String?
        let edit: @Sendable (inout Calendar, inout JSONValue) throws -> Void
        var testDescription: String { name }

        init(
            _ name: String, _ act: String, by rule: String, finding: String? = nil,
            _ edit: @escaping @Sendable (inout Calendar, inout JSONValue) throws -> Void
        ) { (self.name, self.act, self.rule, self.finding, self.edit) = (name, act, rule, finding, edit) }
    }

    static let rows = [
        Row("S4-2 a confirmed reservation becomes an event", "added", by: "G2.add") { _, _ in },
        Row("a pending reservation is only stored", "stored", by: "G2.store") {
            $1.set("reservationStatus", "pending")
        },
        Row("an unknown cancellation is only stored", "stored", by: "G2.store") {
            $1.set("reservationStatus", "canceled")
        },
        Row("equal details change nothing", "unchanged", by: "G2.unchanged") { try $0.donate([$1]) },
        Row("S4-28 a seat appears", "updated", by: "G2.update") {
            try $0.donate([$1])
            $1.set("reservedSeat", ["seatRow": "12", "seatNumber": "C"])
        },
        Row("S4-29 a cancellation cancels the event", "cancelled", by: "G2.cancel") {
            try $0.donate([$1])
            $1.set("reservationStatus", "canceled")
        },
        Row("a confirmation restores a canceled event", "restored", by: "G2.restore") {
            try $0.donate([$1])
            try $0.donate([$1.adding(["reservationStatus": "canceled"])])
        },
        Row("an app's first words correct a mail's", "updated", by: "G2.update") {
            var reservation = try Reservation(json: $1)
            reservation.itemReference = SpokenReference(id: "mail", spoken: "mail")
            $0.take(ReservationDonation([reservation]), from: .mail)
        },
        Row("before What's New is acknowledged nothing is added", "rejected", by: "G1.3", finding: "calendar.whatsNew")
        {
            calendar, _ in
            try calendar.perform(.settings(.with { $0.isWhatsNewAcknowledged = false }))
        },
        Row("what has ended is not added", "rejected", by: "G1.4", finding: "reservation.ended") { calendar, _ in
            calendar.now = Instant(text: "2026-01-06T04:50:00.001Z") ?? calendar.now
        },
        Row("at its end it is still added", "added", by: "G2.add") { calendar, _ in
            calendar.now = Instant(text: "2026-01-06T04:50:00.000Z") ?? calendar.now
        },
        Row("S4-21 without a start there is no event", "rejected", by: "G1.5", finding: "reservation.start.missing") {
            guard var flight = $1["flight"] else { return }
            flight.set("flightDuration", [:])
            $1.set("flight", flight)
        },
        Row("a known reservation may be canceled after its end", "cancelled", by: "G2.cancel") {
            try $0.donate([$1])
            $0.now = Instant(text: "2026-02-01T00:00:00Z") ?? $0.now
            $1.set("reservationStatus", "canceled")
        },
    ]

    @Test("G.1 and G.2 decide about a donated reservation", arguments: rows) func decides(_ row: Row) throws {
        var calendar = Calendar()
        var reservation = Flights.outbound
        try row.edit(&calendar, &reservation)
        try calendar.donate([reservation])
        let event = try #require(calendar.events.first)
        #expect(event.details["act"] == .string(row.act))
        #expect(event.details["rule"] == .string(row.rule))
        guard case .array(let findings)? = event.details["findings"] else { return #expect(row.finding == nil) }
        #expect(findings.compactMap { $0["id"] } == row.finding.map { [.string($0)] })
    }

    @Test("S4-6, S4-24 items that share a reference are rejected, items that share a number are not")
    func references() throws {
        var calendar = Calendar()
        try calendar.donate([Flights.outbound, Flights.outbound])
        #expect(calendar.events.map { $0.details["rule"] } == ["G1.2", "G1.2"])
        #expect(calendar.table.items.isEmpty)
        try calendar.donate([Flights.outbound, Flights.inbound])
        #expect(calendar.table.items.count == 2)
    }

    @Test("S4-15, S4-30 the round trip's events share one notification, 10 s after the first") func notifies() throws {
        var calendar = Calendar()
        try calendar.donate([Flights.outbound])
        calendar.advance(to: "2026-01-01T09:00:05Z")
        try calendar.donate([Flights.inbound])
        calendar.advance(to: "2026-01-01T09:00:09.999Z")
        #expect(calendar.notifications.isEmpty)
        calendar.advance(to: "2026-01-01T09:00:10Z")
        let notification = try #require(calendar.notifications.first)
        #expect(calendar.notifications.count == 1)
        #expect(notification.bundleID == "com.apple.mobilecal")
        #expect(notification.content.title == "2 Events Added to Calendar")
        #expect(notification.content.body == "Flight: XX815 SFO–CDG\nFlight: XX816 CDG–SFO")
    }

    /// Events before the donation, and whether it is announced.
    static let announcements: [(String, Bool, @Sendable (inout Calendar) throws -> Void, Bool)] = [
        ("S4-26 from the background never", false, { _ in }, false),
        ("in the foreground, the first time", true, { _ in }, true),
        (
            "not after a donation in the background", true, { try $0.donate([Flights.outbound], inForeground: false) },
            false
        ),
    ]

    @Test("G.4 decides about the notification of an event", arguments: announcements)
    func announces(
        _ name: String, inForeground: Bool, _ before: @Sendable (inout Calendar) throws -> Void, _ isShown: Bool
    ) throws {
        var calendar = Calendar()
        try before(&calendar)
        try calendar.donate(
            [Flights.outbound.adding(["reservedSeat": ["seatNumber": "1"]])], inForeground: inForeground)
        calendar.advance(to: "2026-01-01T10:00:00Z")
        #expect(calendar.notifications.isEmpty != isShown)
    }

    typealias Moment = (suggestion: ReservationSuggestion.Kind, time: String, isShown: Bool)

    static let moments: [Moment] = [
        (.checkIn, "2026-01-04T17:59:59.999Z", false), (.checkIn, "2026-01-04T18:00:00Z", true),
        (.checkIn, "2026-01-05T17:00:00Z", true), (.checkIn, "2026-01-05T17:00:00.001Z", false),
        (.maps, "2026-01-05T05:59:00Z", false), (.maps, "2026-01-05T06:00:00Z", true),
        (.maps, "2026-01-06T04:50:00Z", true), (.maps, "2026-01-06T04:51:00Z", false),
    ]

    @Test("S4-9, S4-11, S1-21, S4-3 check-in and a flight's airport are suggested in their time", arguments: moments)
    func suggests(_ row: Moment) throws {
        var calendar = Calendar()
        try calendar.donate([Flights.outbound])
        calendar.advance(to: row.time)
        #expect(calendar.suggestions.contains(row.suggestion) == row.isShown)
    }

    @Test("S4-29 canceled and ignored items have no suggestions") func withdraws() throws {
        var calendar = Calendar(at: "2026-01-05T12:00:00Z")
        try calendar.donate([Flights.outbound])
        #expect(calendar.suggestions == [.checkIn, .maps])
        try calendar.donate([Flights.outbound.adding(["reservationStatus": "canceled"])])
        #expect(calendar.suggestions.isEmpty)
        #expect(calendar.table.due(after: calendar.now) == nil)
        try calendar.donate([Flights.outbound])
        try calendar.perform(.ignore(1))
        #expect(calendar.suggestions.isEmpty)
    }

    @Test("S4-17 the check-in suggestion has the activity's title") func titles() throws {
        var calendar = Calendar(at: "2026-01-05T12:00:00Z")
        try calendar.donate([Flights.outbound])
        let suggestion = calendar.table.suggestions(calendar.context).first { $0.kind == .checkIn }
        #expect(suggestion?.title == "Check in for Flight XX 815")
        #expect(suggestion?.app == "com.example.flights")
    }

    @Test("S1-21 S4-20 the time to leave depends on the distance and notifies once, Time Sensitive")
    func leaves() throws {
        var calendar = Calendar(at: "2026-01-05T00:00:00Z")
        // 15 km south of the restaurant: a half-hour drive.
        (calendar.place.latitude, calendar.place.longitude) = (35.5351, 139.76)
        try calendar.donate([Bookings.restaurant], inForeground: false)
        calendar.advance(to: "2026-01-05T09:19:00Z")
        #expect(calendar.notifications.isEmpty && !calendar.suggestions.contains(.timeToLeave))
        calendar.advance(to: "2026-01-05T09:21:00Z")
        #expect(calendar.notifications.map(\.content.interruptionLevel) == [.timeSensitive])
        #expect(calendar.suggestions.contains(.timeToLeave))
        calendar.advance(to: "2026-01-05T10:01:00Z")
        #expect(calendar.notifications.isEmpty && !calendar.suggestions.contains(.timeToLeave))
    }

    @Test("G.5 a reservation moved to another day notifies again") func leavesAgain() throws {
        var calendar = Calendar(at: "2026-01-05T00:00:00Z")
        (calendar.place.latitude, calendar.place.longitude) = (35.5351, 139.76)
        try calendar.donate([Bookings.restaurant], inForeground: false)
        calendar.advance(to: "2026-01-05T09:21:00Z")
        #expect(calendar.notifications.count == 1)
        let later = Flights.range(Flights.time("2026-01-06T19:00:00", "Asia/Tokyo"), nil)
        try calendar.donate([Bookings.restaurant.adding(["reservationDuration": later])], inForeground: false)
        calendar.advance(to: "2026-01-06T09:21:00Z")
        #expect(calendar.notifications.count == 1)
    }

    @Test("S4-16 an unchanged reservation, donated again after a reinstallation, opens in the app")
    func donatesAgain() throws {
        var calendar = Calendar(at: "2026-01-05T12:00:00Z")
        try calendar.donate([Flights.outbound])
        calendar.uninstall()
        try calendar.donate([Flights.outbound])
        #expect(calendar.events.map { $0.details["act"] } == ["unchanged"])
        #expect(try calendar.table.checkIn(1, calendar.context).app == "com.example.flights")
    }

    @Test("a scripted travel time replaces the computed one, and a move applies within five minutes")
    func traffic() throws {
        var calendar = Calendar(at: "2026-01-05T06:30:00Z")
        try calendar.perform(.settings(.with { $0.travelTime = 3 * 3_600_000 }))
        try calendar.donate([Bookings.restaurant], inForeground: false)
        calendar.advance(to: "2026-01-05T06:51:00Z")
        #expect(calendar.notifications.count == 1)
        calendar = Calendar(at: "2026-01-05T06:30:00Z")
        try calendar.donate([Bookings.restaurant], inForeground: false)
        (calendar.place.latitude, calendar.place.longitude) = (36.67, 139.76)
        calendar.advance(to: "2026-01-05T06:35:00Z")
        #expect(calendar.notifications.count == 1)
    }

    @Test("S4-1 at the restaurant the device suggests Do Not Disturb, 10 min before to the end")
    func disturbs() throws {
        var calendar = Calendar(at: "2026-01-05T00:00:00Z")
        try calendar.donate([Bookings.restaurant])
        (calendar.place.latitude, calendar.place.longitude) = (35.67, 139.76)
        calendar.advance(to: "2026-01-05T09:49:59Z")
        #expect(!calendar.suggestions.contains(.doNotDisturb))
        calendar.advance(to: "2026-01-05T09:50:00Z")
        #expect(calendar.suggestions.contains(.doNotDisturb))
        calendar.place.latitude = 35.672
        #expect(!calendar.suggestions.contains(.doNotDisturb))
    }

    @Test("S4-13, S4-25 an item of two opens with its reference, the whole reservation with none") func opens() throws {
        var calendar = Calendar()
        try calendar.donate([Flights.outbound, Flights.inbound])
        let item = try calendar.table.launch(1, isWhole: false, calendar.context)
        let intent = item.userActivity?["interaction"]?["intent"]
        #expect(item.userActivity?["activityType"] == "INGetReservationDetailsIntent")
        #expect(intent?["reservationContainerReference"]?["id"] == "B9C8")
        #expect(intent?["reservationItemReferences"] == [Flights.reference("B9C8-XX815", "Flight XX 815")])
        let whole = try calendar.table.launch(1, isWhole: true, calendar.context)
        #expect(whole.userActivity?["interaction"]?["intent"]?["reservationItemReferences"] == .null)
        calendar.uninstall()
        #expect(try calendar.table.launch(1, isWhole: false, calendar.context).url == "https://flights.example/B9C8")
    }

    private func mail(_ bookings: [(day: String, status: String)]) throws -> ReservationDonation {
        try ReservationDonation(
            bookings.map { booking in
                let start = Flights.time("2026-01-\(booking.day)T19:00:00", "Asia/Tokyo")
                return try Reservation(
                    json: Bookings.restaurant.adding([
                        "itemReference": Flights.reference("R1-\(booking.day)", "Table"), "reservationNumber": "R1",
                        "reservationStatus": .string(booking.status), "reservationDuration": Flights.range(start, nil),
                    ]))
            })
    }

    @Test("G.8 in markup, number and type identify a reservation whatever its date") func moves() throws {
        var calendar = Calendar()
        calendar.take(try mail([("20", "confirmed")]), from: .mail)
        calendar.take(try mail([("22", "confirmed")]), from: .mail)
        #expect(calendar.table.items.map(\.reservation.start?.text) == ["2026-01-22T10:00:00.000Z"])
        #expect(calendar.events.map { $0.details["act"] } == ["updated"])
        calendar.take(try mail([("23", "canceled")]), from: .web)
        #expect(calendar.table.items.map(\.state) == [.cancelled])
    }

    @Test("G.8 a mail moves the event that it shares with an app, which still knows it", arguments: [true, false])
    func movesShared(isAppFirst: Bool) throws {
        var (calendar, other) = (Calendar(), Calendar())
        let booking = Bookings.restaurant.adding([
            "reservationNumber": "R1", "reservationStatus": "confirmed",
            "reservationDuration": Flights.range(Flights.time("2026-01-20T19:00:00", "Asia/Tokyo"), nil),
        ])
        func share(_ calendar: Calendar, with other: inout Calendar) {
            let context = other.context
            for case .shareReservations(let changed) in calendar.effects.requests {
                other.table.merge(calendar.table.items, changed: changed, context, &other.effects)
            }
        }
        if isAppFirst {
            try calendar.donate([booking])
        } else {
            calendar.take(try mail([("20", "confirmed")]), from: .mail)
        }
        share(calendar, with: &other)
        if isAppFirst {
            calendar.take(try mail([("20", "confirmed")]), from: .mail)
        } else {
            try calendar.donate([booking])
        }
        share(calendar, with: &other)
        calendar.take(try mail([("22", "confirmed")]), from: .mail)
        #expect(calendar.events.map { $0.details["act"] } == ["updated"])
        share(calendar, with: &other)
        calendar.take(try mail([("22", "confirmed")]), from: .mail)
        #expect(calendar.events.map { $0.details["act"] } == ["unchanged"])
        #expect(calendar.table.items.map(\.source.app) == ["com.example.flights"])
        try calendar.donate([booking.adding(["partySize": 5])])
        #expect(calendar.events.map { $0.details["act"] } == ["updated"], "the app's reference stays")
        share(calendar, with: &other)
        calendar.take(try mail([("22", "confirmed")]), from: .mail)
        share(calendar, with: &other)
        calendar.take(try mail([("22", "canceled")]), from: .mail)
        share(calendar, with: &other)
        for table in [calendar.table, other.table] {
            #expect(table.items.map(\.state) == [.cancelled])
            #expect(table.items.first?.reservation.start?.text.prefix(10) == "2026-01-22")
        }
    }

    @Test("G.2 a mail does not move an app's reservation that it has never named") func movesOnlyItsOwn() throws {
        var calendar = Calendar()
        try calendar.donate([
            Bookings.restaurant.adding([
                "reservationNumber": "R1", "reservationStatus": "confirmed",
                "reservationDuration": Flights.range(Flights.time("2026-01-20T19:00:00", "Asia/Tokyo"), nil),
            ])
        ])
        calendar.take(try mail([("22", "confirmed")]), from: .mail)
        #expect(calendar.table.items.count == 2)
    }

    @Test("G.8 of two reservations with a number, the one that no day names moves") func movesOne() throws {
        var calendar = Calendar()
        calendar.take(try mail([("20", "confirmed"), ("25", "confirmed")]), from: .mail)
        #expect(calendar.table.items.count == 2)
        calendar.take(try mail([("26", "confirmed"), ("20", "confirmed")]), from: .mail)
        let starts = calendar.table.items.map { $0.reservation.start?.text.prefix(10) }
        #expect(starts == ["2026-01-20", "2026-01-26"])
    }

    @Test("S4-16, S4-18 check-in continues in the app, or in Safari on a device without it") func checksIn() throws {
        var calendar = Calendar(at: "2026-01-05T12:00:00Z")
        try calendar.donate([Flights.outbound])
        let launch = try calendar.table.checkIn(1, calendar.context)
        #expect(launch.app == "com.example.flights")
        #expect(launch.userActivity?["activityType"] == "com.example.checkin")
        calendar.uninstall()
        #expect(try calendar.table.checkIn(1, calendar.context).url == "https://flights.example/checkin")
        let plain = Flights.outbound.adding(["actions": []])
        try calendar.donate([plain])
        #expect(throws: DeviceError.self) { try calendar.table.checkIn(1, calendar.context) }
    }

    @Test("a donation on another device is rejected once, however many follow") func rejectsOnce() throws {
        var other = Calendar()
        var calendar = Calendar()
        try calendar.perform(.settings(.with { $0.isWhatsNewAcknowledged = false }))
        let context = calendar.context
        for flight in [Flights.outbound, Flights.inbound] {
            try other.donate([flight])
            for case .shareReservations(let changed) in other.effects.requests {
                calendar.table.merge(other.table.items, changed: changed, context, &calendar.effects)
            }
        }
        #expect(calendar.events.map { $0.details["rule"] } == ["G1.3", "G1.3"])
    }

    @Test("the 201st item evicts the oldest one without suggestions") func limits() throws {
        var calendar = Calendar()
        try calendar.donate([Bookings.restaurant.adding(["reservationStatus": "pending"])])
        for number in 0..<CalendarTable.limit {
            let reference = Flights.reference("N\(number)", "Booking \(number)")
            try calendar.donate([Bookings.restaurant.adding(["itemReference": reference])])
        }
        #expect(calendar.table.items.count == CalendarTable.limit)
        #expect(calendar.table.evictedCount == 1)
        #expect(calendar.table.item(1) == nil)
    }
}

extension JSONValue {
    mutating func set(_ name: String, _ value: JSONValue) { self = adding(.object([name: value])) }
}
