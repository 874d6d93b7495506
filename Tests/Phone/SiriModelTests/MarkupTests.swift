import DeviceModel
import JSON
import SiriModel
import Testing
import Time

@Suite struct MarkupTests {
    static let flight = """
        {"@context": "http://schema.org", "@type": "FlightReservation", "reservationId": "B9C8",
         "reservationStatus": "http://schema.org/ReservationConfirmed", "underName": {"@type": "Person", "name": "Maria Ruiz"},
         "reservationFor": {"@type": "Flight", "flightNumber": "815", "airline": {"@type": "Airline", "iataCode": "XX"},
          "departureAirport": {"iataCode": "SFO"}, "departureTime": "2026-01-05T10:00:00-08:00",
          "arrivalAirport": {"iataCode": "CDG"}, "arrivalTime": "2026-01-06T05:50:00+01:00"}}
        """

    static let dinner = """
        <div itemscope itemtype="http://schema.org/FoodEstablishmentReservation">
         <meta itemprop="reservationId" content="R1"/>
         <link itemprop='reservationStatus' href=http://schema.org/ReservationConfirmed>
         <div itemprop="reservationFor" itemscope itemtype="http://schema.org/FoodEstablishment">
          <b itemprop="name">Ginza &amp; <i>Co</i></b>
          <p itemprop="address" itemscope><span itemprop="streetAddress">1-1&nbsp;Ginza</span></div>
         <time itemprop="startTime" datetime="2026-01-05T19:00+09:00">7 pm</time><br>
         <span itemprop="partySize">4</span></div>
        """

    private func markup(_ text: String) -> Markup { Markup(Array(text.utf8)) }

    @Test("a flight as JSON-LD, alone, in a page, in a list and in a graph") func jsonLD() throws {
        let script = "<script TYPE='application/ld+json'>\(Self.flight)</SCRIPT>"
        for text in [
            Self.flight, "[\(Self.flight)]", #"{"@graph": [\#(Self.flight)]}"#, "<p>a < b</p>\(script)",
            "<!-- <script> --><style></p></style>\(script)<p",
        ] {
            let markup = markup(text)
            let reservation = try #require(markup.reservations.first)
            #expect(markup.reservations.count == 1 && markup.findings.isEmpty)
            #expect(reservation.kind == .flight && reservation.status == .confirmed)
            #expect(reservation.start?.text == "2026-01-05T18:00:00.000Z")
            #expect(reservation.times.end?.timeZone == "Europe/Paris")
            #expect(EventContent(reservation, locale: "en").title == "Flight: XX815 SFO–CDG")
        }
    }

    @Test("a dinner as Microdata") func microdata() throws {
        let markup = markup(Self.dinner)
        let reservation = try #require(markup.reservations.first)
        #expect(markup.findings.isEmpty)
        #expect(reservation.reservationNumber == "R1" && reservation.partySize == 4)
        #expect(reservation.place?.text == "Ginza & Co, 1-1 Ginza")
        #expect(reservation.start?.text == "2026-01-05T10:00:00.000Z")
    }

    static let wrong: [(String, String, Int)] = [
        ("<p>Thank you", "markup.none", 0),
        ("<script type=application/ld+json>{,}</script>", "markup.json", 0),
        ("3", "markup.none", 0),
        ("{,", "markup.json", 0),
        (flight.replacing("FlightReservation", with: "TaxiReservation"), "markup.type.unknown", 0),
        (flight.replacing("ReservationConfirmed", with: "ReservationPending"), "markup.status.unknown", 1),
        (flight.replacing("\"reservationId\"", with: "\"id\""), "markup.reservationId.missing", 1),
        (flight.replacing("10:00:00-08:00", with: "10:00:00"), "markup.time.offset", 1),
        (flight.replacing("2026-01-05T10:00:00-08:00", with: "tomorrow"), "markup.time.invalid", 1),
        (flight.replacing("\"815\"", with: "\"\""), "reservation.invalid", 0),
        (flight.replacing("2026-01-06T05", with: "2026-01-04T05"), "reservation.invalid", 0),
        (
            flight.replacing("\"underName\"", with: "\"url\": \"http://x.example\", \"underName\""), "markup.url.https",
            1
        ),
    ]

    @Test("invalid markup is a finding", arguments: wrong) func finds(_ text: String, _ rule: String, _ taken: Int) {
        let markup = markup(text)
        #expect(markup.findings.map(\.id) == [rule])
        #expect(markup.reservations.count == taken)
    }

    @Test("at most 100 reservations of a document are read") func limit() {
        let list = Array(repeating: Self.flight, count: 101).joined(separator: ",")
        let markup = markup("[\(list)]")
        #expect(markup.reservations.count == 100)
        #expect(markup.findings.map(\.id) == ["markup.tooMany"])
    }

    @Test("the time for hostile markup grows linearly") func isLinear() {
        for piece in [
            "<", "<a ", "<!--", "<script>", "<div itemscope itemprop=a>", "</x>", "&#x41;", "<a b=\"",
            "<b itemprop=c>x",
        ] {
            let bytes = Array(String(repeating: piece, count: (1 << 18) / piece.utf8.count).utf8)
            let time = ContinuousClock().measure { _ = Markup(bytes) }
            #expect(time < .seconds(60), "\(piece)")
        }
    }

    @Test("a mail's reservation becomes an event, an app's update of it stays the same event") func sources() throws {
        var calendar = Calendar()
        var donation = ReservationDonation(markup(Self.flight).reservations)
        calendar.take(donation, from: .mail)
        #expect(calendar.events.first?.details["act"] == "added")
        calendar.advance(to: "2026-01-01T10:00:00Z")
        #expect(calendar.notifications.isEmpty)
        try calendar.donate([Flights.outbound])
        #expect(calendar.table.items.count == 1)
        #expect(calendar.table.items.first?.source == .app("com.example.flights"))
        donation.reservations = markup(Self.flight.replacing("Confirmed", with: "Cancelled")).reservations
        calendar.take(donation, from: .mail)
        #expect(calendar.table.items.map(\.state) == [.cancelled])
    }
}
