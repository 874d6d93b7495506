/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z, as APNs' `timestamp` counts.
public struct Instant: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// - Parameter seconds: Seconds since 1970; fractions beyond a millisecond are dropped.
    public init(seconds: Double) { milliseconds = Int64(max(-9e15, min(9e15, seconds * 1000))) }

    /// Seconds since 1970.
    public var seconds: Double { Double(milliseconds) / 1000 }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// The instant so many milliseconds later, or earlier for a negative number; the first or the last one there is instead of
    /// one beyond.
    public func advanced(by milliseconds: Int64) -> Instant {
        Instant(milliseconds: self.milliseconds.addingSaturated(milliseconds))
    }

    /// The instant so much later, in whole milliseconds; as `advanced(by:)` with a number.
    public func advanced(by duration: Duration) -> Instant { advanced(by: duration.wholeMilliseconds) }

    /// Milliseconds since `earlier`, negative when this is before it; the most or the least there can be instead of more.
    public func milliseconds(since earlier: Instant) -> Int64 {
        milliseconds.subtractingSaturated(earlier.milliseconds)
    }

    /// How long after `earlier` this is; negative when it is before.
    public func since(_ earlier: Instant) -> Duration { .milliseconds(milliseconds(since: earlier)) }
}

extension Duration {
    /// Rounded towards zero; the most or the least there can be instead of more.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        return product.addingSaturated(attoseconds / 1_000_000_000_000_000)
    }
}

extension Int64 {
    fileprivate func addingSaturated(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    fileprivate func subtractingSaturated(_ other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}
