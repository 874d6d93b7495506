package import APNs
internal import DeviceModel
package import LiveModel

/// What the device suggests now.
package struct SuggestionTable: Equatable, Codable, Sendable {
    /// When the person last woke.
    package private(set) var wokeAt: Instant?

    package init() {}

    package var isEmpty: Bool { wokeAt == nil }

    package func due(after now: Instant) -> Instant? { nil }

    /// The person uses the device; the first time of a day is when they woke.
    package mutating func wake(_ context: LiveContext) {
        let calendar = context.device.calendar
        if let wokeAt, calendar?.day(at: wokeAt) == calendar?.day(at: context.now) { return }
        wokeAt = context.now
    }

    mutating func refresh(_ donations: DonationStore, _ context: LiveContext, _ effects: inout LiveEffects) {}
}
