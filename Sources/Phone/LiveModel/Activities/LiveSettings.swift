package import APNs
internal import DeviceModel
internal import Time

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
    package internal(set) var updates = ActivityBudget()
    package internal(set) var starts = ActivityBudget()
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
