package import APNs
internal import DeviceModel
internal import LiveModel

/// The events that Siri adds to the calendar.
package struct CalendarTable: Equatable, Codable, Sendable {
    package init() {}

    package var isEmpty: Bool { true }

    package func due(after now: Instant) -> Instant? { nil }

    mutating func performDue(_ context: LiveContext, _ effects: inout LiveEffects) {}

    mutating func conditionsChanged(
        from old: DeviceConditions, _ context: LiveContext, _ effects: inout LiveEffects
    ) {}

    mutating func reduce(
        _ input: CalendarInput, _ context: LiveContext, _ effects: inout LiveEffects
    ) throws(LiveError) {}

    mutating func uninstall(_ bundleID: String, _ context: LiveContext, _ effects: inout LiveEffects) {}

    /// Takes the reservations of a donation; ignores any other.
    mutating func take(_ entry: DonationEntry, _ context: LiveContext, _ effects: inout LiveEffects) {}
}

/// An act that concerns the calendar.
package enum CalendarInput: Hashable, Codable, Sendable {
    /// The person has seen the Calendar app's *What's New* screen.
    case acknowledge
}
