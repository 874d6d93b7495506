import Contacts
import ExtensionWire
import Foundation
import Intents
import Testing

/// The flights of the talk on event suggestions, and the other kinds of reservations.
@Suite struct ReservationTests {
    private func donatedFlights() throws -> (interaction: WireValue, flights: [WireValue]) {
        let program = try ExtensionProcess(example: "SeedDonations")
        try program.receive(#"{"aps":{},"donate":"flight"}"#)
        let interaction = try #require(program.next("donate")?["interaction"])
        _ = program.finish()
        return (interaction, try #require(interaction["response"]?["reservations"]?.elements))
    }

    @Test("S4-5 S4-12 S4-13 S4-24 a round trip is one container with two items of the same number")
    func roundTrip() throws {
        let (interaction, flights) = try donatedFlights()
        #expect(
            interaction["intent"]?.json == """
                {"class":"INGetReservationDetailsIntent","reservationContainerReference":{"id":"B9C8",\
                "spoken":"Trip to Paris"},"reservationItemReferences":null}
                """)
        #expect(interaction["response"]?["class"]?.text == "INGetReservationDetailsIntentResponse")
        #expect(flights.map { $0["reservationNumber"]?.text } == ["B9C8", "B9C8"])
        #expect(flights.map { $0["itemReference"]?["id"]?.text } == ["B9C8-XX815", "B9C8-XX816"])
    }

    @Test("S4-6 S4-7 S4-8 flight XX 815 has airline and airport codes, gates, and local times") func flight() throws {
        let flight = try #require(try donatedFlights().flights.first)
        #expect(flight["class"]?.text == "INFlightReservation" && flight["reservationStatus"]?.text == "confirmed")
        #expect(flight["itemReference"]?["spoken"]?.text == "Flight XX 815")
        #expect(flight["reservedSeat"] == .null && flight["url"] == .null)
        #expect(
            flight["flight"]?.json == """
                {"airline":{"iataCode":"XX","icaoCode":null,"name":"Example Air"},\
                "arrivalAirportGate":{"airport":{"iataCode":"CDG","icaoCode":null,"name":null},"gate":null,\
                "terminal":null},"boardingTime":null,"departureAirportGate":{"airport":{"iataCode":"SFO",\
                "icaoCode":null,"name":null},"gate":"A7","terminal":"1"},\
                "flightDuration":{"end":{"local":"2026-11-23T12:15:00","tz":"Europe/Paris"},\
                "start":{"local":"2026-11-22T16:30:00","tz":"America/Los_Angeles"}},"flightNumber":"815"}
                """)
    }

    @Test("S4-9 S4-10 check-in is possible from 24 hours to 1 hour before the departure") func checkIn() throws {
        let flights = try donatedFlights().flights
        #expect(
            flights.map { $0["actions"]?.json } == [
                """
                [{"type":"checkIn","userActivity":{"activityType":"com.example.myflights.checkin",\
                "requiredUserInfoKeys":["reservationNumber"],"title":"Check in for Flight XX 815",\
                "userInfo":{"reservationNumber":"B9C8"},\
                "webpageURL":"https://example.com/checkin?reservation=B9C8"},"validDuration":\
                {"end":{"local":"2026-11-22T15:30:00","tz":"America/Los_Angeles"},\
                "start":{"local":"2026-11-21T16:30:00","tz":"America/Los_Angeles"}}}]
                """, "[]",
            ])
    }

    private let range = INDateComponentsRange(start: DateComponents(year: 2026, month: 1, day: 5), end: nil)

    private var inn: CLPlacemark {
        let address = CNMutablePostalAddress()
        address.street = "1 Example Street"
        address.country = "USA"
        return CLPlacemark(
            location: CLLocation(latitude: 0, longitude: 0), name: "Inn",
            postalAddress: address.copy() as? CNPostalAddress)
    }

    private let reference = INSpeakableString(
        vocabularyIdentifier: "r", spokenPhrase: "R", pronunciationHint: nil)

    private let rangeJSON = #"{"end":null,"start":{"local":"2026-01-05T00:00:00","tz":null}}"#
    private let innJSON = """
        {"address":{"country":"USA","street":"1 Example Street"},"latitude":0.0,"longitude":0.0,"name":"Inn"}
        """

    private let seat = INSeat(seatSection: nil, seatRow: "12", seatNumber: "A", seatingType: nil)
    private let seatJSON = #"{"seatNumber":"A","seatRow":"12","seatSection":null,"seatingType":null}"#

    /// A reservation with the members of its class.
    private func venues() -> [(INReservation, String)] {
        [
            (
                INLodgingReservation(
                    itemReference: reference, reservationStatus: .confirmed, lodgingBusinessLocation: inn,
                    reservationDuration: range, numberOfAdults: 2),
                #"{"lodgingBusinessLocation":\#(innJSON),"numberOfAdults":2,"numberOfChildren":null,"reservationDuration":\#(rangeJSON)}"#
            ),
            (
                INRestaurantReservation(
                    itemReference: reference, reservationStatus: .hold, reservationDuration: range, partySize: 4,
                    restaurantLocation: inn),
                #"{"partySize":4,"reservationDuration":\#(rangeJSON),"restaurantLocation":\#(innJSON)}"#
            ),
            (
                INRentalCarReservation(
                    itemReference: reference, reservationStatus: .pending,
                    rentalCar: INRentalCar(
                        rentalCompanyName: "Cars", type: "compact", make: nil, model: nil, rentalCarDescription: nil),
                    rentalDuration: range, pickupLocation: inn, dropOffLocation: nil),
                """
                {"dropOffLocation":null,"pickupLocation":\(innJSON),"rentalCar":{"make":null,"model":null,\
                "rentalCarDescription":null,"rentalCompanyName":"Cars","type":"compact"},"rentalDuration":\(rangeJSON)}
                """
            ),
            (
                INTicketedEventReservation(
                    itemReference: reference, reservationStatus: .confirmed, reservedSeat: seat,
                    event: INTicketedEvent(category: .movie, name: "Film", eventDuration: range, location: inn)),
                """
                {"event":{"category":"movie","eventDuration":\(rangeJSON),"location":\(innJSON),"name":"Film"},\
                "reservedSeat":\(seatJSON)}
                """
            ),
        ]
    }

    /// As `venues()`.
    private func trips() -> [(INReservation, String)] {
        [
            (
                INTrainReservation(
                    itemReference: reference, reservationStatus: .confirmed, reservedSeat: seat,
                    trainTrip: INTrainTrip(
                        provider: "Rail", trainName: nil, trainNumber: "7", tripDuration: range,
                        departureStationLocation: inn, departurePlatform: "2", arrivalStationLocation: inn,
                        arrivalPlatform: nil)),
                """
                {"reservedSeat":\(seatJSON),"trainTrip":{"arrivalPlatform":null,"arrivalStationLocation":\(innJSON),\
                "departurePlatform":"2","departureStationLocation":\(innJSON),"provider":"Rail","trainName":null,\
                "trainNumber":"7","tripDuration":\(rangeJSON)}}
                """
            ),
            (
                INBusReservation(
                    itemReference: reference, reservationStatus: .confirmed,
                    busTrip: INBusTrip(
                        provider: nil, busName: "Night", busNumber: nil, tripDuration: range,
                        departureBusStopLocation: inn, departurePlatform: nil, arrivalBusStopLocation: inn,
                        arrivalPlatform: nil)),
                """
                {"busTrip":{"arrivalBusStopLocation":\(innJSON),"arrivalPlatform":null,"busName":"Night",\
                "busNumber":null,"departureBusStopLocation":\(innJSON),"departurePlatform":null,"provider":null,\
                "tripDuration":\(rangeJSON)},"reservedSeat":null}
                """
            ),
            (
                INBoatReservation(
                    itemReference: reference, reservationStatus: .confirmed,
                    boatTrip: INBoatTrip(
                        provider: nil, boatName: nil, boatNumber: "3", tripDuration: range,
                        departureBoatTerminalLocation: inn, arrivalBoatTerminalLocation: inn)),
                """
                {"boatTrip":{"arrivalBoatTerminalLocation":\(innJSON),"boatName":null,"boatNumber":"3",\
                "departureBoatTerminalLocation":\(innJSON),"provider":null,"tripDuration":\(rangeJSON)},\
                "reservedSeat":null}
                """
            ),
        ]
    }

    @Test("S4-4 S4-20 each kind of reservation is donated with its own members") func kinds() {
        let common = [
            "class", "itemReference", "reservationNumber", "bookingTime", "reservationStatus", "reservationHolderName",
            "actions", "url",
        ]
        for (reservation, members) in venues() + trips() {
            guard case .object(let all) = reservation.json else { continue }
            #expect(common.allSatisfy(all.keys.contains))
            #expect(all["class"]?.text == "\(type(of: reservation))")
            #expect(WireValue.object(all.filter { !common.contains($0.key) }).json == members)
        }
        #expect(venues().count + trips().count == 7)
    }

    @Test("raw values are Apple’s") func rawValues() {
        #expect(INReservationStatus.allCases.map(\.rawValue) == Array(0...4))
        #expect(INReservationStatus.canceled.rawValue == 1)
        #expect(INReservationActionType.checkIn.rawValue == 1)
    }
}
