internal import DeviceModel
package import Fields
internal import JSON

/// What the person sets in Calendar.
package struct CalendarSettings: Sendable, Hashable {
    /// Without it, Siri adds no events (G.1).
    package var isWhatsNewAcknowledged = true
    /// A scripted travel time to every place, in milliseconds; nil computes it from the distance.
    package var travelTime: Int64?

    package init() {}
}

extension CalendarSettings: FieldDescribed {
    package static let fields: [Field<CalendarSettings>] = [
        Field(
            "whatsNewAcknowledged", \.isWhatsNewAcknowledged, .flag,
            "Whether the person has seen the What's New screen of Calendar."),
        Field(
            "travelTime", \.travelTime, .optional(.milliseconds),
            "How long the way to any place takes; if absent, computed from the distance."),
    ]
}

/// An act that concerns the calendar.
package enum CalendarInput: Hashable, Codable, Sendable {
    case settings(CalendarSettings)
    /// A mail or a page with reservations in schema.org's form.
    case markup(ReservationDonation, ReservationSource)
    /// "Add to Calendar".
    case add(UInt64)
    case ignore(UInt64)
    /// "Show in App", of the item or of the whole reservation.
    case open(UInt64, isWhole: Bool)
    /// The check-in suggestion.
    case checkIn(UInt64)
}
