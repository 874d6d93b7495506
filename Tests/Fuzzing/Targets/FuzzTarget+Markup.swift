internal import Fields
internal import SiriModel

extension FuzzTarget {
    /// A mail or web page with markup for Siri.
    static let markup = FuzzTarget("markup") { input in
        let markup = Markup(Array(input))
        precondition(markup.reservations.count <= ReservationDonation.limit, "too many reservations")
        for reservation in markup.reservations {
            var copy = Reservation()
            do {
                try copy.apply(reservation.json)
            } catch {
                preconditionFailure("what was taken cannot be read again: \(error)")
            }
            precondition(copy == reservation, "the copy differs")
            _ = EventContent(copy, locale: "ja")
        }
    }
}
