internal import FoundationEssentials

/// The only place that reads the wall clock.
package enum SystemClock {
    @Sendable package static func now() -> Instant { Instant(seconds: Date().timeIntervalSince1970) }

    /// Whole seconds since 1970.
    @Sendable package static func seconds() -> Int64 { now().milliseconds / 1000 }
}
