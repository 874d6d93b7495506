import DeviceModel
import Fields
import JSON
import SiriModel
import TestSupport
import Testing
import Time

@Suite struct ReservationTests {
    @Test("S4-4 every type is read and written without loss", arguments: Bookings.all)
    func reads(_ json: JSONValue) throws {
        let reservation = try Reservation(json: json)
        #expect(try Reservation(json: reservation.json) == reservation)
        #expect(reservation.start != nil && reservation.place != nil)
    }

    @Test("S4-4 every subclass has a row, a fixture and a type of schema.org") func types() {
        #expect(ReservationType.all.map(\.kind) == ReservationKind.allCases.sorted { index($0) < index($1) })
        #expect(Set(Bookings.all.map { $0["class"] }).count == ReservationKind.allCases.count)
        #expect(Set(ReservationType.all.map(\.markup)).count == ReservationKind.allCases.count)
    }

    private func index(_ kind: ReservationKind) -> Int { ReservationType.all.firstIndex { $0.kind == kind } ?? .max }

    /// English and Japanese titles, and hours until the end if it is not given.
    static let titleRows: [(JSONValue, String, String, Int64?)] = zip(
        Bookings.all,
        [
            ("Flight: XX815 SFO–CDG", "フライト: XX815 SFO–CDG", nil), ("Reservation: Ginza", "予約: Ginza", 2),
            ("Stay: Ginza", "宿泊: Ginza", 24), ("Car rental: Wheels", "レンタカー: Wheels", 24),
            ("Movie: Neko", "映画: Neko", 2), ("Train: Nozomi 1 Tokyo to Osaka", "列車: Nozomi 1 TokyoからOsakaまで", 2),
            ("Bus: 7 A to B", "バス: 7 AからBまで", 2), ("Boat: Maru A to B", "船: Maru AからBまで", 2),
        ]
    ).map { ($0, $1.0, $1.1, $1.2) }

    @Test("S4-19, S4-21 the type determines title and default end", arguments: titleRows)
    func titles(_ json: JSONValue, _ english: String, _ japanese: String, _ hours: Int64?) throws {
        let reservation = try Reservation(json: json)
        let content = EventContent(reservation, locale: "en_US")
        #expect(content.title == english)
        #expect(EventContent(reservation, locale: "ja_JP").title == japanese)
        #expect(content.isEndAssumed == (hours != nil))
        guard let hours, let start = content.start else { return }
        #expect(content.end == start.advanced(by: hours * 3_600_000))
    }

    @Test("S4-22 notes have a fixed order and omit unknown values") func notes() throws {
        let seat: JSONValue = ["reservedSeat": ["seatRow": "12", "seatNumber": "C"]]
        let reservation = try Reservation(json: Flights.outbound.adding(seat))
        #expect(
            EventContent(reservation, locale: "en").notes == [
                "Reservation number: B9C8", "Name: Maria Ruiz", "Seat: 12C", "Terminal: 1", "Gate: B4",
            ])
        #expect(EventContent(reservation, locale: "ja").notes.first == "予約番号: B9C8")
    }

    @Test("S4-8 local times are in their own time zones") func zones() throws {
        let reservation = try Reservation(json: Flights.outbound)
        #expect(reservation.start?.text == "2026-01-05T18:00:00.000Z")
        #expect(reservation.end?.text == "2026-01-06T04:50:00.000Z")
        #expect(try LocalTime(json: ["local": "2026-01-05T10:00:00"]).instant?.text == "2026-01-05T10:00:00.000Z")
    }

    @Test("S4-7 either code gives an airport's place and time zone") func airports() throws {
        for code in ["SFO", "ksfo"] {
            let airport = try #require(AirportTable.airport(code))
            #expect(airport.timeZone == "America/Los_Angeles")
            #expect(abs(airport.latitude - 37.62) < 0.01 && abs(airport.longitude + 122.38) < 0.01)
        }
        #expect(AirportTable.airport("XXX") == nil)
        #expect((300...400).contains(AirportTable.all.count))
        for airport in AirportTable.all {
            #expect(LocalCalendar(timeZone: airport.timeZone) != nil, "\(airport.iata)")
            #expect(abs(airport.latitude) < 70 && abs(airport.longitude) <= 180 && !airport.name.isEmpty)
        }
        #expect(Set(AirportTable.all.flatMap { [$0.iata, $0.icao] }).count == 2 * AirportTable.all.count)
    }

    @Test("S4-20 coordinates of 0, 0 are ignored, the address is used") func unknownPlace() throws {
        let placemark = Bookings.placemark.adding(["latitude": 0, "longitude": 0])
        let reservation = try Reservation(json: Bookings.restaurant.adding(["restaurantLocation": placemark]))
        #expect(reservation.place?.latitude == nil)
        #expect(reservation.place?.text == "Ginza, 1-1 Ginza, Chuo, Japan")
    }

    static let wrong: [(String, JSONValue, String)] = [
        ("unknown type", ["class": "INTaxiReservation"], "class"),
        ("unknown status", ["reservationStatus": "cancelled"], "reservationStatus"),
        ("missing flight", ["flight": .null], "flight"),
        ("a member of another type", ["partySize": 2], "partySize"),
        ("unknown member", ["seat": "12C"], "seat"),
        ("an unknown zone", time("2026-01-05T10:00:00", "Moon/Base"), "flight.flightDuration.start.tz"),
        ("a time with an offset", time("2026-01-05T10:00:00Z", "UTC"), "flight.flightDuration.start.local"),
        ("an end before the start", time("2026-01-07T10:00:00", "UTC"), "flight.flightDuration.end"),
        ("no reference", ["itemReference": ["spoken": ""]], "itemReference.spoken"),
    ]

    private static func time(_ local: String, _ zone: String) -> JSONValue {
        guard let flight = Flights.outbound["flight"], let end = flight["flightDuration"]?["end"] else { return .null }
        return ["flight": flight.adding(["flightDuration": Flights.range(Flights.time(local, zone), end)])]
    }

    @Test("errors name the invalid member", arguments: wrong) func refuses(
        _ name: String, _ edit: JSONValue, _ path: String
    ) {
        var reservation = Reservation()
        let error = #expect(throws: FieldError.self) { try reservation.apply(Flights.outbound.adding(edit)) }
        #expect(error?.problems.first?.path.description == path)
        #expect(reservation == Reservation())
    }

    static let advice: [(String, String, @Sendable (inout ReservationDonation) -> Void)] = [
        (
            "S4-14 the app declares the intent", "reservation.activityType.intent",
            { $0.container = SpokenReference(id: "undeclared", spoken: "") }
        ),
        ("S4-20 a place has a position", "reservation.place.missing", { $0.reservations[1] = unplaced }),
        ("S4-13 donations have no item references", "reservation.itemReferences.notNil", { $0.itemReferences = [] }),
        (
            "S4-12 several items have a container of their own", "reservation.container.shared",
            { $0.container = $0.reservations.first?.itemReference }
        ),
        (
            "S4-14 the app declares the action's activity", "reservation.activityType.action",
            { $0.reservations[0].actions[0].userActivity.activityType = "x" }
        ),
        (
            "S4-10 an action has a short title", "reservation.action.title",
            { $0.reservations[0].actions[0].userActivity.title = nil }
        ),
        (
            "S4-18 an action has a page", "reservation.action.webpageURL",
            { $0.reservations[0].actions[0].userActivity.webpageURL = nil }
        ),
        (
            "S4-19 details are not decorated", "reservation.text.decorated",
            { $0.reservations[0].flight?.flightNumber = "Flight 815" }
        ),
        (
            "S4-8 times have time zones", "reservation.timeZone.missing",
            { $0.reservations[0].flight?.flightDuration.start?.timeZone = nil }
        ),
        (
            "S4-7 an airport is known", "reservation.airport.unknown",
            { $0.reservations[0].flight?.departure.airport.iataCode = "QQQ" }
        ),
        ("S4-5 a response has reservations", "reservation.none", { $0.reservations = [] }),
        (
            "S4-27 a donation has no unrelated reservations", "reservation.unrelated",
            { $0.reservations[1].reservationNumber = "other" }
        ),
    ]

    /// Shares its number with the flight.
    private static var unplaced: Reservation {
        var reservation = Reservation()
        let placemark: JSONValue = ["name": "Ginza"]
        try? reservation.apply(
            Bookings.restaurant.adding(["restaurantLocation": placemark, "reservationNumber": "B9C8"]))
        return reservation
    }

    @Test("X1 every rule about reservations and markup has a row") func rulesAreComplete() {
        let found =
            Self.advice.map(\.1) + CalendarTests.rows.compactMap(\.finding) + MarkupTests.wrong.map(\.1)
            // `CalendarTests.references`, `MarkupTests.limit`.
            + ["reservation.itemReference.duplicate", "markup.tooMany"]
        #expect(Set(found) == Set((FindingRule.reservations + FindingRule.markup).map(\.id)))
    }

    @Test("donations have findings", arguments: advice)
    func advises(_ id: String, _ rule: String, _ edit: @Sendable (inout ReservationDonation) -> Void) throws {
        var donation = try ReservationDonation([Flights.outbound, Flights.inbound].map { try Reservation(json: $0) })
        donation.container = SpokenReference(id: "B9C8", spoken: "Paris")
        var app = App(bundleID: "com.example.flights")
        app.userActivityTypes = ["INGetReservationDetailsIntent", "com.example.checkin"]
        let assumptions = Assumptions.with { $0.unrelatedReservationsWarn = true }
        #expect(donation.findings(for: app, assumptions).isEmpty)
        edit(&donation)
        if donation.container?.id == "undeclared" { app.userActivityTypes = ["com.example.checkin"] }
        #expect(donation.findings(for: app, assumptions).map(\.id) == [rule])
        #expect(Set(donation.findings(for: nil, assumptions).map(\.id)).isSubset(of: [rule]))
    }
}
