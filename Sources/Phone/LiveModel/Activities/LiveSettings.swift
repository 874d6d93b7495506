package import APNs
package import DeviceModel
package import Time

/// An app's Live Activities on a device: the person's settings, and the system's counters.
package struct LiveSettings: Hashable, Codable, Sendable {
    package enum Setting: String, CaseIterable, Codable, Sendable {
        case undecided, allowed, always, denied

        var isAllowed: Bool { self == .allowed || self == .always }
    }

    package var app: String
    package var setting = Setting.undecided
    package var frequentEnabled = true
    /// The budget of priority-10 updates.
    package internal(set) var updates = Spending()
    package internal(set) var starts = Spending()
    /// The app's push-to-start tokens; the current one is last.
    package internal(set) var pushToStart: [StartToken] = []
    /// When the five latest alerts of updates came, suppressed ones included.
    var alerts: [Instant] = []

    /// Without the system's counters.
    var settings: LiveSettings {
        var settings = LiveSettings(app: app)
        (settings.setting, settings.frequentEnabled) = (setting, frequentEnabled)
        settings.pushToStart = pushToStart
        return settings
    }

    package struct StartToken: Hashable, Codable, Sendable {
        package var token: DeviceToken
        package var environment: APNsEnvironment
        /// nil for all types.
        package var type: String?
    }

    /// A token bucket, stored as the amount spent; it refills evenly.
    package struct Spending: Hashable, Codable, Sendable {
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

        fileprivate mutating func setBack(_ clock: ClockReturn) {
            if spent > 0 { clock.moveOrigin(&at) }
        }
    }

    package func updateLimit(_ app: App, on osVersion: OSVersion, _ assumptions: Assumptions) -> Int {
        app.liveActivities?.frequentKey == true && frequentEnabled && osVersion >= LiveFeature.refinements.since
            ? assumptions.frequentUpdateBudget : assumptions.updateBudget
    }

    mutating func setBack(_ clock: ClockReturn) {
        updates.setBack(clock)
        starts.setBack(clock)
        alerts = alerts.map(clock.movedOrigin)
    }

    private static let maximumStartTokenCount = 16

    mutating func take(_ token: DeviceToken, for use: TokenUse) {
        pushToStart.append(StartToken(token: token, environment: use.environment, type: use.subject))
        if pushToStart.count > Self.maximumStartTokenCount { pushToStart.removeFirst() }
    }
}
