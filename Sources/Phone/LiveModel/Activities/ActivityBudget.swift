package import DeviceModel
package import Time

/// A token bucket, stored as the amount spent; it refills evenly.
package struct ActivityBudget: Hashable, Codable, Sendable {
    package private(set) var spent = 0.0
    private var at = Instant(milliseconds: 0)

    /// How many of `limit` per `period` milliseconds are spent.
    package func count(of limit: Int, per period: Int64, at now: Instant) -> Double {
        let refill = Double(now.milliseconds(since: at)) * Double(limit) / Double(period)
        return max(0, spent - max(0, refill))
    }

    /// The milliseconds until one more can be spent.
    func refill(of limit: Int, per period: Int64, at now: Instant) -> Int64 {
        guard limit > 0 else { return period }
        let excess = count(of: limit, per: period, at: now) + 1 - Double(limit)
        return max(1, Int64(min(9e15, (excess * Double(period) / Double(limit)).rounded(.up))))
    }

    mutating func spend(of limit: Int, per period: Int64, at now: Instant) {
        // Bounded, so that an app that ignores its budget can recover.
        (spent, at) = (min(count(of: limit, per: period, at: now) + 1, Double(limit) * 4 + 1), now)
    }

    mutating func setBack(_ clock: ClockReturn) {
        if spent > 0 { clock.moveOrigin(&at) }
    }
}

extension LiveSettings {
    package func updateLimit(_ app: App, on osVersion: OSVersion, _ assumptions: Assumptions) -> Int {
        app.liveActivities?.frequentKey == true && frequentEnabled && osVersion >= LiveFeature.refinements.since
            ? assumptions.frequentUpdateBudget : assumptions.updateBudget
    }
}
