package import DeviceModel
package import Fields
internal import JSON

/// A donation of reservations: `INGetReservationDetailsIntent` and its response (S4-5).
package struct ReservationDonation: Hashable, Codable, Sendable {
    package static let intentClass = "INGetReservationDetailsIntent"
    /// Of one donation; not a limit of iOS.
    package static let limit = 100

    /// The whole reservation.
    package var container: SpokenReference?
    /// The system fills it when it launches the app (S4-13).
    package var itemReferences: [SpokenReference]?
    package var reservations: [Reservation] = []

    package init() {}

    /// The reservations in a donation: nil for any other intent, a failure when they cannot be read.
    typealias Reading = Result<ReservationDonation?, FieldError>

    static func read(_ donation: Donation) -> Reading {
        Reading { () throws(FieldError) in try ReservationDonation(donation) }
    }

    /// nil for any other intent.
    package init?(_ donation: Donation) throws(FieldError) {
        guard donation.intentClass == Self.intentClass else { return nil }
        let intent = MemberReader(donation.intent, at: FieldPath().member("intent"))
        container = intent.value("reservationContainerReference", .object)
        itemReferences = intent.value("reservationItemReferences", .list(.object))
        try intent.finish()
        guard let response = donation.response else { return }
        let reader = MemberReader(response, at: FieldPath().member("response"))
        let format = FieldFormat<[Reservation]>.list(.object, count: (0...Self.limit, "at most \(Self.limit)"))
        reservations = reader.value("reservations", format) ?? []
        try reader.finish()
    }
}
