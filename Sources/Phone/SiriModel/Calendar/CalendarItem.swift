package import DeviceModel
internal import Fields
internal import JSON
package import Time

/// A reservation known to Siri, with its event.
package struct CalendarItem: Equatable, Codable, Sendable {
    /// Counts from 1 on each device.
    package internal(set) var number: UInt64 = 0
    package internal(set) var source: ReservationSource
    /// The whole reservation that the item is part of.
    package internal(set) var container: SpokenReference?
    package internal(set) var reservation: Reservation
    package internal(set) var state = State.stored
    /// Counts the changes of the event (RFC 5545, SEQUENCE).
    package internal(set) var revision = 0
    package internal(set) var updatedAt: Instant
    /// Counts the changes that led to this one, on whichever device of the person.
    package internal(set) var version = 1
    /// Whether the app donated it on this device and was not uninstalled since.
    var isDonatedHere = false
    /// Whether the notification about the time to leave was shown.
    var isLeaveShown = false
    /// True if an app and a mail or page have named it; nil if one of them.
    var isInMarkup: Bool?
    /// True while the person's other devices do not have it as it is, because this one cannot be reached.
    var isUnshared: Bool?
    /// The former person of the device whose reservation it is; nil if it is the present one's.
    var formerPerson: String?

    /// The present person has it, too.
    mutating func adopt() { if formerPerson != nil { (formerPerson, isUnshared) = (nil, nil) } }

    /// Otherwise later changes on the person's other devices would look older.
    package mutating func setBack(_ clock: ClockReturn) { clock.moveOrigin(&updatedAt) }

    /// Whether it is the later change of the same reservation, which has the same answer on all devices of a person. On a
    /// manual clock, changes may have the same date. Then the one that follows the other is later; of two that do not
    /// know each other, none is, so any order does.
    func isNewer(than other: CalendarItem) -> Bool {
        if updatedAt != other.updatedAt { return updatedAt > other.updatedAt }
        if version != other.version { return version > other.version }
        return reservation.json.sorted.text > other.reservation.json.sorted.text
    }

    package enum State: String, CaseIterable, Codable, Sendable {
        /// No event yet, because it is not confirmed.
        case stored
        /// In the calendar's inbox, until the person adds or ignores it.
        case inbox
        case added, ignored, cancelled
    }

    package var hasEvent: Bool { state != .stored && state != .cancelled }

    /// Whether Siri suggests anything for it.
    var isActive: Bool { (state == .inbox || state == .added) && reservation.status == .confirmed }

    var checkIn: ReservationAction? { reservation.actions.first { $0.type == .checkIn } }

    /// The whole reservation if it consists of this item (S4-12).
    var isAlone: Bool { container == nil || container?.key == reservation.itemReference.key }

    /// By reference in the app that donated it; across sources by number, type, day and flight number (G.2).
    func isSame(as other: Reservation, from source: ReservationSource) -> Bool {
        if let app = source.app, app == self.source.app {
            return reservation.itemReference.key == other.itemReference.key
        }
        guard hasNumber(of: other) else { return false }
        let day = other.times.start?.wall?.day
        return day == reservation.times.start?.wall?.day || day == nil && other.status == .canceled
    }

    /// Whether markup moves it to another day: there, number and type identify a reservation whatever its date (doc:
    /// Sending travel reservations in markup).
    func isMoved(to other: Reservation, from source: ReservationSource) -> Bool {
        source.app == nil && (self.source.app == nil || isInMarkup == true) && hasNumber(of: other)
    }

    /// Whether a source is of another kind than that of the item: one is an app, the other a mail or page.
    func isOtherKind(_ source: ReservationSource) -> Bool { (source.app == nil) != (self.source.app == nil) }

    /// The reservation as another source has it. An app's reference stays: the app names the reservation by it.
    func taking(_ new: Reservation, from source: ReservationSource) -> Reservation {
        guard self.source.app != nil, source.app == nil else { return new }
        var new = new
        new.itemReference = reservation.itemReference
        return new
    }

    private func hasNumber(of other: Reservation) -> Bool {
        guard let number = reservation.reservationNumber, number == other.reservationNumber else { return false }
        return reservation.kind == other.kind && reservation.flight?.flightNumber == other.flight?.flightNumber
    }
}

/// Where Siri found a reservation.
package struct ReservationSource: Hashable, Codable, Sendable {
    package enum Kind: String, CaseIterable, Codable, Sendable { case app, mail, web }

    package var kind: Kind
    /// nil for markup.
    package var app: String?

    package static func app(_ bundleID: String) -> Self { Self(kind: .app, app: bundleID) }
    package static let mail = Self(kind: .mail)
    package static let web = Self(kind: .web)
}
