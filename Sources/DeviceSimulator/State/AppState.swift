internal import APNs
package import DeviceModel

/// An app as one device knows it; made when there is something to remember.
@dynamicMemberLookup
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
    /// Out of line, as most apps have none of it and there may be very many devices.
    private var rarities: Shared<UncommonState>?

    init(bundleID: String) { self.bundleID = bundleID }

    /// What few apps have.
    subscript<Value>(dynamicMember path: WritableKeyPath<UncommonState, Value>) -> Value {
        get { (rarities?.value ?? UncommonState())[keyPath: path] }
        set {
            var changed = rarities?.value ?? UncommonState()
            changed[keyPath: path] = newValue
            rarities = changed == UncommonState() ? nil : Shared(changed)
        }
    }

    /// What an app has that calls, wakes or is on trial.
    struct UncommonState: Equatable, Sendable {
        /// When the system last explained or reviewed Time Sensitive notifications.
        var timeSensitiveReviewedAt: Instant?
        /// When background pushes woke it, within the last hour.
        var backgroundWakes: [Instant] = []
        var complications: Complications?
        /// When an App Clip may no longer notify.
        var ephemeralUntil: Instant?
        var lastCall: Call?
        /// What the app registered on the device by itself; nil while its developer's categories hold.
        var categories: [NotificationCategory]?
    }

    /// Complication pushes on a day, counted from 1970 in UTC.
    struct Complications: Equatable, Sendable {
        var day: Int64
        var count: Int
    }

    /// Who called last through the app, and when.
    struct Call: Equatable, Sendable {
        var handle: String
        var at: Instant
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

    /// What may be answered; the scheduled summary is offered only while it is on (B.1).
    package func choices(isSummaryOn: Bool) -> [DeviceAct.PromptChoice] {
        guard self == .provisional else { return [.leaveOn, .turnOff] }
        return isSummaryOn ? [.keep, .keepInSummary, .turnOff] : [.keep, .turnOff]
    }
}
