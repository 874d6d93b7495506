package import ExtensionWire
public import Foundation

public enum INReservationStatus: Int, Sendable, CaseIterable { case unknown, canceled, pending, hold, confirmed }

public enum INReservationActionType: Int, Sendable, CaseIterable { case unknown, checkIn }

/// A span of local times, each with its own time zone.
open class INDateComponentsRange: NSObject, StoredAsJSON {
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
        let numbers = [time.year, time.month, time.day, time.hour, time.minute, time.second].map { $0 ?? 0 }
        return .object([
            "local": .string(String(format: "%04d-%02d-%02dT%02d:%02d:%02d", arguments: numbers)),
            "tz": WireValue((time.timeZone ?? time.calendar?.timeZone)?.identifier),
        ])
    }
}

open class INReservationAction: NSObject, StoredAsJSON {
    public let type: INReservationActionType
    public let validDuration: INDateComponentsRange
    public let userActivity: NSUserActivity

    public init(type: INReservationActionType, validDuration: INDateComponentsRange, userActivity: NSUserActivity) {
        (self.type, self.validDuration, self.userActivity) = (type, validDuration, userActivity)
    }
}

open class INSeat: NSObject, StoredAsJSON {
    public let seatSection: String?
    public let seatRow: String?
    public let seatNumber: String?
    public let seatingType: String?

    public init(seatSection: String?, seatRow: String?, seatNumber: String?, seatingType: String?) {
        (self.seatSection, self.seatRow, self.seatNumber) = (seatSection, seatRow, seatNumber)
        self.seatingType = seatingType
    }
}

open class INReservation: NSObject, StoredAsJSON {
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

    package var json: WireValue {
        var members = storedMembers()
        members["class"] = .string("\(type(of: self))")
        if actions == nil { members["actions"] = .array([]) }
        members.rename("url", to: "URL")
        return .object(members)
    }
}

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
        itemReference: INSpeakableString, reservationNumber: String?, bookingTime: Date?,
        reservationStatus: INReservationStatus, reservationHolderName: String?, actions: [INReservationAction]?,
        url: URL? = nil, reservedSeat: INSeat?, flight: INFlight
    ) {
        self.reservedSeat = reservedSeat
        self.flight = flight
        super.init(
            itemReference, reservationNumber, bookingTime, reservationStatus, reservationHolderName, actions, url)
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
}
