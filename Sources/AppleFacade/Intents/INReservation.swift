package import ExtensionWire
public import Foundation

public enum INReservationStatus: Int, Sendable, CaseIterable {
    case unknown = 0
    case canceled = 1
    case pending = 2
    case hold = 3
    case confirmed = 4
}

public enum INReservationActionType: Int, Sendable, CaseIterable {
    case unknown = 0
    case checkIn = 1
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

/// Something to do with a reservation, such as to check in.
open class INReservationAction: NSObject {
    public let type: INReservationActionType
    public let validDuration: INDateComponentsRange
    public let userActivity: NSUserActivity

    public init(type: INReservationActionType, validDuration: INDateComponentsRange, userActivity: NSUserActivity) {
        self.type = type
        self.validDuration = validDuration
        self.userActivity = userActivity
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
        self.seatSection = seatSection
        self.seatRow = seatRow
        self.seatNumber = seatNumber
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
        self.itemReference = itemReference
        self.reservationNumber = reservationNumber
        self.bookingTime = bookingTime
        self.reservationStatus = reservationStatus
        self.reservationHolderName = reservationHolderName
        self.actions = actions
        self.url = url
    }

    /// What the kind of reservation adds.
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
