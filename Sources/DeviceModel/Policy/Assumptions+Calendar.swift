internal import Fields

extension Assumption {
    /// Reservations in the calendar (G).
    static let calendar: [Assumption] = [
        Assumption(
            "calendarGrouping", \.calendarGrouping, .milliseconds, .design,
            "Events added within this time after the first share one notification, which appears at its end."),
        Assumption(
            "unrelatedReservationsWarn", \.unrelatedReservationsWarn, .flag, .doc,
            "A donation of unrelated reservations has a finding: Apple advised against it in 2019, for it in 2020."),
        Assumption(
            "travelSpeed", \.travelSpeed, .integer(in: 1...1000), unit: "km/h", .design,
            "The speed that the time to leave is computed with."),
        Assumption(
            "leaveBuffer", \.leaveBuffer, .milliseconds, .design, "The reserve in the time to leave."),
        Assumption(
            "leaveLead", \.leaveLead, .milliseconds, .design,
            "How long before an event's start the time to leave is computed for the first time."),
        Assumption(
            "leaveInterval", \.leaveInterval, .milliseconds, .design,
            "How often it is computed then; 1m or more."),
        Assumption(
            "flightArrivesEarly", \.flightArrivesEarly, .milliseconds, .design,
            "How long before departure the person wants to be at the airport."),
        Assumption(
            "mapsLead", \.mapsLead, .milliseconds, .design,
            "How long before its start Maps suggests an event's place."),
        Assumption(
            "mapsFlightLead", \.mapsFlightLead, .milliseconds, .design, "The same for a flight's airport."),
        Assumption(
            "doNotDisturbLead", \.doNotDisturbLead, .milliseconds, .design,
            "How long before a meal or a show the device suggests Do Not Disturb."),
        Assumption(
            "doNotDisturbDistance", \.doNotDisturbDistance, .integer(in: 0...100_000), unit: "m", .design,
            "How close to the place the device must be for that."),
    ]
}
