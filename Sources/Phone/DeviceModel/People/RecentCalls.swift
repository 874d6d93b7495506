package import Time

/// When each caller last called an app, by handle.
package typealias RecentCalls = [String: Instant]

/// nil without calls.
extension RecentCalls? {
    /// Milliseconds since the caller's last call; nil without one.
    package func time(since caller: String, at now: Instant) -> Int64? {
        self?[caller].map { now.milliseconds(since: $0) }
    }

    /// Forgets the calls before the window. An empty caller is unknown.
    package mutating func add(_ caller: String, at now: Instant, within window: Int64) {
        guard !caller.isEmpty else { return }
        var calls = (self ?? [:]).filter { now.milliseconds(since: $0.value) <= window }
        calls[caller] = now
        if calls.count > maximumCallerCount, let oldest = calls.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            calls[oldest.key] = nil
        }
        self = calls
    }
}

/// Not a limit of iOS.
private let maximumCallerCount = 100
