package import APNs
package import DeviceModel
internal import JSON
package import LiveModel

/// Siri's state on a device: donations, suggestions and calendar events; empty on most devices.
package struct SiriState: Equatable, Codable, Sendable {
    package var donations = DonationStore()
    package var suggestions = SuggestionTable()
    package var calendar = CalendarTable()

    package init() {}

    package var isEmpty: Bool { donations.isEmpty && suggestions.isEmpty && calendar.isEmpty }

    /// The next instant after `now` at which time changes something; nil for never.
    package func due(after now: Instant) -> Instant? {
        [suggestions.due(after: now), calendar.due(after: now)].compactMap(\.self).min()
    }

    /// Applies everything due at `now` or before.
    package mutating func performDue(_ context: LiveContext, _ effects: inout LiveEffects) {
        calendar.performDue(context, &effects)
        refresh(context, &effects)
    }

    /// Follows a change of the device's conditions.
    package mutating func conditionsChanged(
        from old: DeviceConditions, _ context: LiveContext, _ effects: inout LiveEffects
    ) {
        calendar.conditionsChanged(from: old, context, &effects)
    }

    /// - Throws: When the input is impossible; nothing has changed then.
    package mutating func reduce(
        _ input: SiriInput, _ context: LiveContext, _ effects: inout LiveEffects
    ) throws(LiveError) {
        switch input {
        case .donation(let input): try reduce(input, context, &effects)
        case .calendar(let input): try calendar.reduce(input, context, &effects)
        }
    }

    /// Removes everything of an app (F.1).
    package mutating func uninstall(_ bundleID: String, _ context: LiveContext, _ effects: inout LiveEffects) {
        donations.uninstall(bundleID)
        suggestions.uninstall(bundleID)
        calendar.uninstall(bundleID, context, &effects)
    }

    /// Compares the suggestions with the previous ones and reports the difference. Called after every input.
    package mutating func refresh(_ context: LiveContext, _ effects: inout LiveEffects) {
        suggestions.refresh(donations, reservations(context), context, &effects)
    }

    /// The reservations' current suggestions, except dismissed ones.
    func reservations(_ context: LiveContext) -> [Suggestion] {
        calendar.suggestions(context).map { Suggestion($0) }.filter { !suggestions.isHandled($0.id, context) }
    }

    /// Stores a donation and takes its reservations.
    ///
    /// - Parameter state: Where the app's code ran.
    mutating func donate(
        _ donation: Donation, _ reservations: ReservationDonation.Reading, by bundleID: String,
        in state: DonationEntry.AppState, _ context: LiveContext, _ effects: inout LiveEffects
    ) {
        let entry = DonationEntry(donation, by: bundleID, in: state, wokeAt: suggestions.wokeAt, context)
        donations.append(entry)
        effects.emit(.donation, app: bundleID, entry.details)
        calendar.take(reservations, of: entry, context, &effects)
    }
}

/// An act of an app or the person, as the journal records it.
package enum SiriInput: Hashable, Codable, Sendable {
    case donation(DonationInput)
    case calendar(CalendarInput)
}
