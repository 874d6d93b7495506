/// Whole milliseconds since 1970-01-01T00:00:00Z, the unit of APNs' `timestamp`.
public struct Instant: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// - Parameter seconds: Since 1970; truncated to milliseconds.
    public init(seconds: Double) { milliseconds = Int64(max(-9e15, min(9e15, seconds * 1000))) }

    public var seconds: Double { Double(milliseconds) / 1000 }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// Saturates.
    public func advanced(by milliseconds: Int64) -> Instant {
        Instant(milliseconds: self.milliseconds.addingSaturated(milliseconds))
    }

    public func advanced(by duration: Duration) -> Instant { advanced(by: duration.wholeMilliseconds) }

    /// Negative when `self` is before `earlier`; saturates.
    public func milliseconds(since earlier: Instant) -> Int64 {
        milliseconds.subtractingSaturated(earlier.milliseconds)
    }

    public func since(_ earlier: Instant) -> Duration { .milliseconds(milliseconds(since: earlier)) }
}

extension Duration {
    /// Rounded towards zero; saturates.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        return product.addingSaturated(attoseconds / 1_000_000_000_000_000)
    }
}

/// Lengths of time in milliseconds.
extension Int64 {
    package static var minute: Int64 { 60_000 }
    package static var hour: Int64 { 3_600_000 }
    package static var day: Int64 { 86_400_000 }
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
