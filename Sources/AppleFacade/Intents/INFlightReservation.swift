public import Foundation

open class INAirline: NSObject, StoredAsJSON {
    public let name: String?
    public let iataCode: String?
    public let icaoCode: String?

    public init(name: String?, iataCode: String?, icaoCode: String?) {
        (self.name, self.iataCode, self.icaoCode) = (name, iataCode, icaoCode)
    }
}

open class INAirport: NSObject, StoredAsJSON {
    public let name: String?
    public let iataCode: String?
    public let icaoCode: String?

    public init(name: String?, iataCode: String?, icaoCode: String?) {
        (self.name, self.iataCode, self.icaoCode) = (name, iataCode, icaoCode)
    }
}

open class INAirportGate: NSObject, StoredAsJSON {
    public let airport: INAirport
    public let terminal: String?
    public let gate: String?

    public init(airport: INAirport, terminal: String?, gate: String?) {
        (self.airport, self.terminal, self.gate) = (airport, terminal, gate)
    }
}

open class INFlight: NSObject, StoredAsJSON {
    public let airline: INAirline
    public let flightNumber: String
    public let boardingTime: INDateComponentsRange?
    public let flightDuration: INDateComponentsRange
    public let departureAirportGate: INAirportGate
    public let arrivalAirportGate: INAirportGate

    public init(
        airline: INAirline, flightNumber: String, boardingTime: INDateComponentsRange?,
        flightDuration: INDateComponentsRange, departureAirportGate: INAirportGate, arrivalAirportGate: INAirportGate
    ) {
        (self.airline, self.flightNumber, self.boardingTime) = (airline, flightNumber, boardingTime)
        (self.flightDuration, self.departureAirportGate) = (flightDuration, departureAirportGate)
        self.arrivalAirportGate = arrivalAirportGate
    }
}

open class INFlightReservation: INReservation {
    public let reservedSeat: INSeat?
    public let flight: INFlight

    public init(
        itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
        reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
        actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat? = nil, flight: INFlight
    ) {
        (self.reservedSeat, self.flight) = (reservedSeat, flight)
        super.init(
            itemReference, reservationNumber, bookingTime, reservationStatus, reservationHolderName, actions, url)
    }
}
