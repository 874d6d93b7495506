internal import Fields

extension Assumption {
    /// Donations and suggestions (F).
    static let siri: [Assumption] = [
        Assumption(
            "predictionWindow", \.predictionWindow, .milliseconds, .design,
            "How far back donations count for a suggestion."),
        Assumption(
            "predictionBucket", \.predictionBucket, .integer(in: 1...720), unit: "minutes", .design,
            "How far from the usual time a donation may be to belong to a pattern."),
        Assumption(
            "predictionDays", \.predictionDays, .integer(in: 1...28), unit: "days", .inferred,
            "On how many days a pattern must show before Siri suggests it."),
        Assumption(
            "predictionRatio", \.predictionRatio, .share, .design,
            "The share of days on which a pattern must occur."),
        Assumption(
            "predictionTolerance", \.predictionTolerance, .integer(in: 1...720), unit: "minutes", .design,
            "How long before and after the usual time Siri suggests an action."),
        Assumption(
            "predictionSpecificity", \.predictionSpecificity, .share, .design,
            "What each parameter adds to an action's score."),
        Assumption(
            "wakingHour", \.wakingHour, .integer(in: 0...23), unit: "o'clock", .design,
            "Before this hour, using the device is not waking up."),
        Assumption(
            "suggestionsOnLockScreen", \.suggestionsOnLockScreen, .integer(in: 0...50), unit: "actions", .design,
            "How many actions the lock screen suggests."),
        Assumption(
            "suggestionsInSpotlight", \.suggestionsInSpotlight, .integer(in: 0...50), unit: "actions", .design,
            "How many actions Spotlight suggests."),
        Assumption(
            "suggestionsInWidget", \.suggestionsInWidget, .integer(in: 0...50), unit: "actions", .design,
            "How many actions the Siri Suggestions widget shows."),
        Assumption(
            "focusPersonCount", \.focusPersonCount, .integer(in: 1...1000), unit: "donations", .design,
            "How many outgoing donations during a Focus make a person belong to it."),
        Assumption(
            "focusPersonWindow", \.focusPersonWindow, .milliseconds, .design,
            "How far back outgoing donations count for `focusPersonCount`."),
        Assumption(
            "shareSheetHalfLife", \.shareSheetHalfLife, .integer(in: 1...365), unit: "days", .design,
            "After how many days an outgoing message counts half as much for the share sheet."),
        Assumption(
            "shareSheetIncomingWeight", \.shareSheetIncomingWeight, .share, .design,
            "How much an incoming message counts for the share sheet, compared with an outgoing one."),
    ]

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
            "How often the time to leave is recomputed; 1m or more."),
        Assumption(
            "flightArrivesEarly", \.flightArrivesEarly, .milliseconds, .design,
            "How long before departure the person wants to be at the airport."),
        Assumption(
            "mapsLead", \.mapsLead, .milliseconds, .design,
            "How long before its start Maps suggests an event's place."),
        Assumption(
            "mapsFlightLead", \.mapsFlightLead, .milliseconds, .design,
            "How long before departure Maps suggests a flight's airport."),
        Assumption(
            "doNotDisturbLead", \.doNotDisturbLead, .milliseconds, .design,
            "How long before a meal or a show the device suggests Do Not Disturb."),
        Assumption(
            "doNotDisturbDistance", \.doNotDisturbDistance, .integer(in: 0...100_000), unit: "m", .design,
            "How close to the meal or show the device must be for the Do Not Disturb suggestion."),
    ]
}
