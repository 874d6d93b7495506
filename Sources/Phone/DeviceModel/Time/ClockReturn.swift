package import Time

/// The clock goes back.
package struct ClockReturn: Sendable, Equatable, Codable {
    package let now: Instant
    private let lead: Int64

    package init(to now: Instant, from former: Instant) {
        self.now = now
        lead = max(0, former.milliseconds(since: now))
    }

    /// An instant that the device noted, or counted from such a one, on the new clock. What was not in the future stays.
    package func moved(_ instant: Instant) -> Instant { instant > now ? instant.advanced(by: -lead) : instant }

    package func move(_ instant: inout Instant) { instant = moved(instant) }

    package func move(_ instant: inout Instant?) { instant = instant.map(moved) }

    /// An instant from which the device counts a duration: as much of it has passed as before.
    package func movedOrigin(_ instant: Instant) -> Instant { instant.advanced(by: -lead) }

    package func moveOrigin(_ instant: inout Instant) { instant = movedOrigin(instant) }

    package func moveOrigin(_ instant: inout Instant?) { instant = instant.map(movedOrigin) }

    package func moveOrigins(_ calls: inout RecentCalls?) { calls = calls?.mapValues(movedOrigin) }
}
