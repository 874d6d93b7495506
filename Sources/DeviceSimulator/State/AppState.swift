internal import APNs
public import DeviceModel

/// An app as one device knows it; made when there is something to remember.
struct AppState: Equatable {
    let bundleID: String
    /// nil while the person has changed nothing.
    var settings: Shared<NotificationSettings>?
    /// The number on the icon; 0 for none.
    var badge = 0
    var isTimeSensitiveIntroduced = false
    var isProvisionalIntroduced = false
    /// Whether the person ended it, so that nothing wakes it until it is opened.
    var isTerminated = false
    /// What the system asked the person about the app and got no answer to yet.
    var prompt: Prompt?
    /// When the system last explained or reviewed Time Sensitive notifications.
    var timeSensitiveReviewedAt: Instant?
    /// When background pushes woke it, within the last hour.
    var backgroundWakes: [Instant] = []
    /// Complication pushes on a day, counted from 1970 in UTC.
    var complications: (day: Int64, count: Int)?
    /// When an App Clip may no longer notify.
    var ephemeralUntil: Instant?
    /// Who called last through the app, and when.
    var lastCall: (handle: String, at: Instant)?

    init(bundleID: String) { self.bundleID = bundleID }

    static func == (left: Self, right: Self) -> Bool {
        left.bundleID == right.bundleID && left.settings == right.settings && left.badge == right.badge
            && left.isTimeSensitiveIntroduced == right.isTimeSensitiveIntroduced
            && left.isProvisionalIntroduced == right.isProvisionalIntroduced
            && left.isTerminated == right.isTerminated && left.prompt == right.prompt
            && left.timeSensitiveReviewedAt == right.timeSensitiveReviewedAt
            && left.backgroundWakes == right.backgroundWakes && left.ephemeralUntil == right.ephemeralUntil
            && left.complications?.day == right.complications?.day
            && left.complications?.count == right.complications?.count
            && left.lastCall?.handle == right.lastCall?.handle && left.lastCall?.at == right.lastCall?.at
    }
}

/// What the system asks the person about an app.
public enum Prompt: String, CaseIterable, Codable, Sendable {
    /// After the first Time Sensitive notification: leave them on?
    case timeSensitiveIntro
    /// After a while: leave Time Sensitive notifications on?
    case timeSensitiveReview
    /// With the first quiet notification: keep them?
    case provisional

    /// What may be answered.
    public var choices: [DeviceAct.PromptChoice] {
        self == .provisional ? [.keep, .keepInSummary, .turnOff] : [.leaveOn, .turnOff]
    }
}
