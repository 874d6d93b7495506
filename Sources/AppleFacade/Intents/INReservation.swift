package import ExtensionWire
public import Foundation

public enum INReservationStatus: Int, Sendable, CaseIterable {
    case unknown, canceled, pending, hold, confirmed
}

public enum INReservationActionType: Int, Sendable, CaseIterable {
    case unknown, checkIn
}

/// A span of local times; each has its time zone.
open class INDateComponentsRange: NSObject {
    public let startDateComponents: DateComponents?
    public let endDateComponents: DateComponents?

    public init(start: DateComponents?, end: DateComponents?) {
        startDateComponents = start
        endDateComponents = end
    }

    package var json: WireValue {
        .object(["start": Self.json(startDateComponents), "end": Self.json(endDateComponents)])
    }

    /// `{"local":"2026-01-05T10:00:00","tz":"America/Los_Angeles"}`.
    static func json(_ time: DateComponents?) -> WireValue {
        guard let time else { return .null }
        func digits(_ number: Int?, _ count: Int) -> String {
            let text = String(number ?? 0)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let date = [digits(time.year, 4), digits(time.month, 2), digits(time.day, 2)].joined(separator: "-")
        let clock = [digits(time.hour, 2), digits(time.minute, 2), digits(time.second, 2)].joined(separator: ":")
        return .object([
            "local": .string("\(date)T\(clock)"),
            "tz": WireValue(time.timeZone?.identifier ?? time.calendar?.timeZone.identifier),
        ])
    }
}

open class INReservationAction: NSObject {
    public let type: INReservationActionType
    public let validDuration: INDateComponentsRange
    public let userActivity: NSUserActivity

    public init(type: INReservationActionType, validDuration: INDateComponentsRange, userActivity: NSUserActivity) {
        (self.type, self.validDuration, self.userActivity) = (type, validDuration, userActivity)
    }

    var json: WireValue {
        .object([
            "type": .string("\(type)"), "validDuration": validDuration.json, "userActivity": userActivity.json,
        ])
    }
}

open class INSeat: NSObject {
    public let seatSection: String?
    public let seatRow: String?
    public let seatNumber: String?
    public let seatingType: String?

    public init(seatSection: String?, seatRow: String?, seatNumber: String?, seatingType: String?) {
        (self.seatSection, self.seatRow, self.seatNumber) = (seatSection, seatRow, seatNumber)
        self.seatingType = seatingType
    }

    var json: WireValue {
        .object([
            "seatSection": WireValue(seatSection), "seatRow": WireValue(seatRow), "seatNumber": WireValue(seatNumber),
            "seatingType": WireValue(seatingType),
        ])
    }
}

open class INReservation: NSObject {
    public let itemReference: INSpeakableString
    public let reservationNumber: String?
    public let bookingTime: Date?
    public let reservationStatus: INReservationStatus
    public let reservationHolderName: String?
    public let actions: [INReservationAction]?
    public let url: URL?

    init(
        _ itemReference: INSpeakableString, _ reservationNumber: String?, _ bookingTime: Date?,
        _ reservationStatus: INReservationStatus, _ reservationHolderName: String?, _ actions: [INReservationAction]?,
        _ url: URL?
    ) {
        (self.itemReference, self.reservationNumber, self.bookingTime) = (itemReference, reservationNumber, bookingTime)
        (self.reservationStatus, self.reservationHolderName) = (reservationStatus, reservationHolderName)
        (self.actions, self.url) = (actions, url)
    }

    var members: [String: WireValue] { [:] }

    /// Whole, with `class`.
    package var json: WireValue {
        let common: [String: WireValue] = [
            "class": .string("\(type(of: self))"),
            "itemReference": itemReference.json,
            "reservationNumber": WireValue(reservationNumber),
            "bookingTime": WireValue(bookingTime),
            "reservationStatus": .string("\(reservationStatus)"),
            "reservationHolderName": WireValue(reservationHolderName),
            "actions": .array((actions ?? []).map(\.json)),
            "URL": WireValue(url?.absoluteString),
        ]
        return .object(common.merging(members) { _, own in own })
    }
}

open class INAirline: NSObject {
    public let name: String?
    public let iataCode: String?
    public let icaoCode: String?

    public init(name: String?, iataCode: String?, icaoCode: String?) {
        (self.name, self.iataCode, self.icaoCode) = (name, iataCode, icaoCode)
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
        (self.name, self.iataCode, self.icaoCode) = (name, iataCode, icaoCode)
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
        (self.airport, self.terminal, self.gate) = (airport, terminal, gate)
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
        (self.airline, self.flightNumber, self.boardingTime) = (airline, flightNumber, boardingTime)
        (self.flightDuration, self.departureAirportGate) = (flightDuration, departureAirportGate)
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

open class INGetReservationDetailsIntent: INIntent {
    public let reservationContainerReference: INSpeakableString?
    public let reservationItemReferences: [INSpeakableString]?

    public init(
        reservationContainerReference: INSpeakableString?, reservationItemReferences: [INSpeakableString]? = nil
    ) {
        self.reservationContainerReference = reservationContainerReference
        self.reservationItemReferences = reservationItemReferences
    }

    override var parameters: [String: WireValue] {
        [
            "reservationContainerReference": reservationContainerReference?.json ?? .null,
            "reservationItemReferences": reservationItemReferences.map { .array($0.map(\.json)) } ?? .null,
        ]
    }
}

public enum INGetReservationDetailsIntentResponseCode: Int, Sendable, CaseIterable {
    case unspecified, ready, inProgress, success, failure, failureRequiringAppLaunch
}

open class INGetReservationDetailsIntentResponse: INIntentResponse {
    public let code: INGetReservationDetailsIntentResponseCode
    open var reservations: [INReservation]?

    public init(code: INGetReservationDetailsIntentResponseCode, userActivity: NSUserActivity?) {
        self.code = code
        super.init()
        self.userActivity = userActivity
    }

    override var members: [String: WireValue] {
        [
            "code": .string("\(code)"),
            "reservations": reservations.map { .array($0.map(\.json)) } ?? .null,
        ]
    }
}
