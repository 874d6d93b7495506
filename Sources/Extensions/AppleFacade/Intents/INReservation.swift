internal import Contacts
public import CoreLocation
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
        var members = storedMembers()
        members.rename("startDateComponents", to: "start")
        members.rename("endDateComponents", to: "end")
        return .object(members)
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
        return .object(members)
    }
}

extension DateComponents: StoredAsJSON {
    /// `{"local":"2026-01-05T10:00:00","tz":"America/Los_Angeles"}`.
    package var json: WireValue {
        let numbers = [year, month, day, hour, minute, second].map { $0 ?? 0 }
        return .object([
            "local": .string(String(format: "%04d-%02d-%02dT%02d:%02d:%02d", arguments: numbers)),
            "tz": WireValue((timeZone ?? calendar?.timeZone)?.identifier),
        ])
    }
}

extension CLPlacemark: StoredAsJSON {
    package var json: WireValue {
        .object([
            "name": WireValue(name), "latitude": location.map { .number($0.coordinate.latitude) } ?? .null,
            "longitude": location.map { .number($0.coordinate.longitude) } ?? .null,
            "address": postalAddress?.json ?? .null,
        ])
    }
}

extension CNPostalAddress {
    /// The parts that an event shows, without empty ones.
    fileprivate var json: WireValue {
        let parts = [
            "street": street, "city": city, "state": state, "postalCode": postalCode, "country": country,
        ]
        return .object(parts.filter { !$0.value.isEmpty }.mapValues { .string($0) })
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

open class INGetReservationDetailsIntentResponse: INCodedResponse<INGetReservationDetailsIntentResponseCode> {
    open var reservations: [INReservation]?
}
