// My Flights, the app of the talk on event suggestions, as the talk describes its code.
import Foundation
import Intents

class Server {
    func roundTrip() -> [INReservation] {
        let departure = DateComponents(
            timeZone: TimeZone(identifier: "America/Los_Angeles"), year: 2026, month: 11, day: 22, hour: 16, minute: 30)
        let arrival = DateComponents(
            timeZone: TimeZone(identifier: "Europe/Paris"), year: 2026, month: 11, day: 23, hour: 12, minute: 15)
        let returnDeparture = DateComponents(
            timeZone: TimeZone(identifier: "Europe/Paris"), year: 2026, month: 11, day: 29, hour: 10)
        return [
            createFlightReservation(
                createFlight("815", from: "SFO", to: "CDG", INDateComponentsRange(start: departure, end: arrival))),
            createFlightReservation(
                createFlight("816", from: "CDG", to: "SFO", INDateComponentsRange(start: returnDeparture, end: nil))),
        ]
    }

    func createFlightReservation(_ flight: INFlight) -> INFlightReservation {
        let itemReference = INSpeakableString(
            vocabularyIdentifier: "B9C8-XX\(flight.flightNumber)", spokenPhrase: "Flight XX \(flight.flightNumber)",
            pronunciationHint: nil)
        let checkInAction = flight.flightNumber == "815" ? createCheckInAction(flight) : nil
        return INFlightReservation(
            itemReference: itemReference,
            reservationNumber: "B9C8",
            bookingTime: nil,
            reservationStatus: .confirmed,
            reservationHolderName: "John Appleseed",
            actions: checkInAction.map { [$0] },
            reservedSeat: nil,
            flight: flight)
    }

    func createFlight(
        _ number: String, from departure: String, to arrival: String, _ duration: INDateComponentsRange
    ) -> INFlight {
        INFlight(
            airline: INAirline(name: "Example Air", iataCode: "XX", icaoCode: nil),
            flightNumber: number,
            boardingTime: nil,
            flightDuration: duration,
            departureAirportGate: INAirportGate(
                airport: INAirport(name: nil, iataCode: departure, icaoCode: nil), terminal: "1", gate: "A7"),
            arrivalAirportGate: INAirportGate(
                airport: INAirport(name: nil, iataCode: arrival, icaoCode: nil), terminal: nil, gate: nil))
    }

    func createCheckInAction(_ flight: INFlight) -> INReservationAction {
        let activity = NSUserActivity(activityType: "com.example.myflights.checkin")
        activity.title = "Check in for Flight XX 815"
        activity.userInfo = ["reservationNumber": "B9C8"]
        activity.requiredUserInfoKeys = ["reservationNumber"]
        activity.webpageURL = URL(string: "https://example.com/checkin?reservation=B9C8")
        let calendar = Calendar(identifier: .gregorian)
        let departure = flight.flightDuration.startDateComponents!
        return INReservationAction(
            type: .checkIn,
            validDuration: INDateComponentsRange(
                start: calendar.components(byAddingHours: -24, to: departure),
                end: calendar.components(byAddingHours: -1, to: departure)),
            userActivity: activity)
    }
}

extension Calendar {
    func components(byAddingHours hours: Int, to components: DateComponents) -> DateComponents {
        let instant = date(byAdding: .hour, value: hours, to: date(from: components)!)!
        return dateComponents(in: components.timeZone!, from: instant)
    }
}

class ReservationDetailsViewController {
    let reservations: [INReservation]

    init(_ reservations: [INReservation]) { self.reservations = reservations }

    func donateReservation() {
        let containerReference = INSpeakableString(
            vocabularyIdentifier: "B9C8", spokenPhrase: "Trip to Paris", pronunciationHint: nil)
        let intent = INGetReservationDetailsIntent(
            reservationContainerReference: containerReference, reservationItemReferences: nil)
        let response = INGetReservationDetailsIntentResponse(code: .success, userActivity: nil)
        response.reservations = reservations
        let interaction = INInteraction(intent: intent, response: response)
        interaction.donate { (error) in }
    }
}

/// Continues an activity as the app delegate does.
func handle(_ userActivity: NSUserActivity) -> [INSpeakableString]? {
    guard userActivity.activityType == "INGetReservationDetailsIntent",
        let intent = userActivity.interaction?.intent as? INGetReservationDetailsIntent
    else { return nil }
    return intent.reservationItemReferences ?? intent.reservationContainerReference.map { [$0] }
}
