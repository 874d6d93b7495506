/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z, as APNs' `timestamp` counts.
public struct Instant: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// - Parameter seconds: Seconds since 1970; fractions beyond a millisecond are dropped.
    public init(seconds: Double) { milliseconds = Int64(max(-9e15, min(9e15, seconds * 1000))) }

    /// Seconds since 1970.
    public var seconds: Double { Double(milliseconds) / 1000 }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    public func advanced(by duration: Duration) -> Instant {
        let (seconds, attoseconds) = duration.components
        return Instant(milliseconds: milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// How long after `earlier` this is; negative when it is before.
    public func since(_ earlier: Instant) -> Duration { .milliseconds(milliseconds - earlier.milliseconds) }
}
