internal import ExtensionWire
public import Foundation

open class INAirline: NSObject {
    public let name: String?
    public let iataCode: String?
    public let icaoCode: String?

    public init(name: String?, iataCode: String?, icaoCode: String?) {
        self.name = name
        self.iataCode = iataCode
        self.icaoCode = icaoCode
    }

    var json: WireValue {
        .object(["name": WireValue(name), "iataCode": WireValue(iataCode), "icaoCode": WireValue(icaoCode)])
    }
}

open class INAirport: NSObject {
    public let name: String?
    public let iataCode: String?
    public let icaoCode: String?

    public init(name: String?, iataCode: String?, icaoCode: String?) {
        self.name = name
        self.iataCode = iataCode
        self.icaoCode = icaoCode
    }

    var json: WireValue {
        .object(["name": WireValue(name), "iataCode": WireValue(iataCode), "icaoCode": WireValue(icaoCode)])
    }
}

open class INAirportGate: NSObject {
    public let airport: INAirport
    public let terminal: String?
    public let gate: String?

    public init(airport: INAirport, terminal: String?, gate: String?) {
        self.airport = airport
        self.terminal = terminal
        self.gate = gate
    }

    var json: WireValue {
        .object(["airport": airport.json, "terminal": WireValue(terminal), "gate": WireValue(gate)])
    }
}

open class INFlight: NSObject {
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
        self.airline = airline
        self.flightNumber = flightNumber
        self.boardingTime = boardingTime
        self.flightDuration = flightDuration
        self.departureAirportGate = departureAirportGate
        self.arrivalAirportGate = arrivalAirportGate
    }

    var json: WireValue {
        .object([
            "airline": airline.json, "flightNumber": .string(flightNumber), "boardingTime": boardingTime?.json ?? .null,
            "flightDuration": flightDuration.json, "departureAirportGate": departureAirportGate.json,
            "arrivalAirportGate": arrivalAirportGate.json,
        ])
    }
}

open class INFlightReservation: INReservation {
    public let reservedSeat: INSeat?
    public let flight: INFlight

    public init(
        itemReference: INSpeakableString, reservationNumber: String?, bookingTime: Date?,
        reservationStatus: INReservationStatus, reservationHolderName: String?, actions: [INReservationAction]?,
        url: URL? = nil, reservedSeat: INSeat?, flight: INFlight
    ) {
        self.reservedSeat = reservedSeat
        self.flight = flight
        super.init(
            itemReference, reservationNumber, bookingTime, reservationStatus, reservationHolderName, actions, url)
    }

    override var members: [String: WireValue] {
        ["reservedSeat": reservedSeat?.json ?? .null, "flight": flight.json]
    }
}
