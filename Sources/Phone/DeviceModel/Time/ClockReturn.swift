package import Time

/// A device's clock goes back, by what the device is ahead.
package struct ClockReturn: Sendable {
    package let now: Instant
    private let lead: Int64

    /// - Parameter latest: The latest instant at which something happened on the device.
    package init(to now: Instant, from latest: Instant) {
        self.now = now
        lead = max(0, latest.milliseconds(since: now))
    }

    /// An instant that the device noted, or counted from such a one, on the new clock. What was not in the future stays.
    package func moved(_ instant: Instant) -> Instant { instant > now ? instant.advanced(by: -lead) : instant }

    package func move(_ instant: inout Instant) { instant = moved(instant) }

    package func move(_ instant: inout Instant?) { instant = instant.map(moved) }

    package func move(_ calls: inout RecentCalls?) { calls = calls?.mapValues(moved) }
}
