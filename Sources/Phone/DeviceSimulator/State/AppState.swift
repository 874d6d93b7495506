package import DeviceModel
internal import Time

/// An app's state on one device, created when first needed.
@dynamicMemberLookup
struct AppState: Equatable, Codable {
    let bundleID: String
    var settings: Shared<NotificationSettings>?
    var badge = 0
    var isTimeSensitiveIntroduced = false
    var isProvisionalIntroduced = false
    /// The person force-quit the app, so nothing wakes it until it is opened.
    var isTerminated = false
    /// The system's unanswered question about the app.
    var prompt: Prompt?
    /// Stored out of line to save memory: most apps have none.
    private var uncommon: Shared<UncommonState>?

    init(bundleID: String) { self.bundleID = bundleID }

    var isUncommon: Bool { uncommon != nil }

    private enum CodingKeys: String, CodingKey {
        case bundleID = "bundleId"
        case settings, badge, isTimeSensitiveIntroduced, isProvisionalIntroduced, isTerminated, prompt, uncommon
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<UncommonState, Value>) -> Value {
        get { (uncommon?.value ?? UncommonState())[keyPath: path] }
        set {
            var changed = uncommon?.value ?? UncommonState()
            changed[keyPath: path] = newValue
            uncommon = changed == UncommonState() ? nil : Shared(changed)
        }
    }

    /// - Parameter today: The day to which the clock returns.
    mutating func setBack(_ clock: ClockReturn, today: Int64) {
        guard var changed = uncommon?.value else { return }
        changed.backgroundWakes = changed.backgroundWakes?.map(clock.movedOrigin)
        clock.move(&changed.ephemeralUntil)
        clock.moveOrigin(&changed.timeSensitiveReviewedAt)
        clock.moveOrigins(&changed.calls)
        changed.complicationDay = changed.complicationDay.map { min($0, today) }
        uncommon = Shared(changed)
    }

    /// State of apps that place calls, are woken, set their own categories, or are App Clips.
    struct UncommonState: Equatable, Sendable, Codable {
        /// When the system last explained or reviewed Time Sensitive notifications.
        var timeSensitiveReviewedAt: Instant?
        /// When background pushes woke it, within the last hour.
        var backgroundWakes: [Instant]?
        /// The latest day of `complicationCount`, counted from 1970 in the device's time zone.
        var complicationDay: Int64?
        var complicationCount: Int?
        var ephemeralUntil: Instant?
        var calls: RecentCalls?
        /// Registered by the app on the device; nil means the developer's categories apply.
        var categories: [NotificationCategory]?
    }
}

/// What the system asks the person about an app.
package enum Prompt: String, CaseIterable, Codable, Sendable {
    /// After the first Time Sensitive notification: leave them on?
    case timeSensitiveIntro
    /// After a while: leave Time Sensitive notifications on?
    case timeSensitiveReview
    /// With the first quiet notification: keep them?
    case provisional

    /// `keepInSummary` is offered only while the scheduled summary is on (B.1).
    package func choices(isSummaryOn: Bool) -> [DeviceAct.PromptChoice] {
        guard self == .provisional else { return [.leaveOn, .turnOff] }
        return isSummaryOn ? [.keep, .keepInSummary, .turnOff] : [.keep, .turnOff]
    }

    /// Our wording; the system's is unknown.
    func question(about app: String) -> String {
        switch self {
        case .timeSensitiveIntro: "“\(app)” alerts you with Time Sensitive notifications at once. Leave them on?"
        case .timeSensitiveReview: "“\(app)” has been sending Time Sensitive notifications. Leave them on?"
        case .provisional: "“\(app)” delivers its notifications quietly. Keep them?"
        }
    }

    /// False once the person has decided in Settings.
    func isOpen(under settings: NotificationSettings) -> Bool {
        guard self == .provisional else { return settings.allowsAnything && settings.timeSensitive != .disabled }
        return settings.authorizationStatus == .provisional
    }
}
