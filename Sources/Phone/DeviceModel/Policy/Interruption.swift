/// Everything that an interruption decision may depend on.
package struct InterruptionInputs: Sendable {
    /// After the service extension.
    package var content: ContentTraits
    package var context: PolicyContext
    /// Milliseconds since the last call from the same handle; nil without one.
    package var sinceLastCall: Int64?
    /// Whether this app has shown a Time Sensitive notification (B.10).
    package var isTimeSensitiveIntroduced = false
    /// Whether this app has shown a quiet notification (B.1).
    package var isProvisionalIntroduced = false

    package init(content: ContentTraits, context: PolicyContext) {
        self.content = content
        self.context = context
    }
}

/// When a notification alerts.
package enum Timing: String, CaseIterable, Codable, Sendable {
    case now
    /// At once, but only in Notification Center's history (provisional authorization).
    case quiet
    case foreground
    /// A Focus holds the alert back; the notification is in Notification Center.
    case silencedByFocus
    case deferredToSummary
    case notAllowed
    /// No alert text; sound and badge may remain.
    case nothingToShow
}

/// The decision about a push.
package struct InterruptionOutcome: Sendable, Hashable {
    /// After entitlements and settings.
    package var level = InterruptionLevel.active
    package var isCommunication = false
    package var timing = Timing.now
    package var presentation: Presentation = []

    package init() {}
}

/// The device, app, settings and assumptions of a decision. Immutable and shared by all pushes until one of them
/// changes, so that a push can explain its decision later at the cost of a reference.
package final class PolicyContext: Sendable {
    package let device: DeviceConditions
    package let app: App
    package let settings: NotificationSettings
    package let assumptions: Assumptions
    let focus: Focus?
    /// The criteria that the app's filters in that Focus admit; nil without filters.
    let focusFilter: [String]?
    let facts: Facts

    package init(device: DeviceConditions, app: App, settings: NotificationSettings, assumptions: Assumptions) {
        self.device = device
        self.app = app
        self.settings = settings
        self.assumptions = assumptions
        focus = device.focus.activeMode
        let filters = focus?.filters.filter { $0.bundleID == app.bundleID } ?? []
        focusFilter = filters.isEmpty ? nil : filters.flatMap(\.allowedCriteria)
        facts = Facts(device: device, focus: focus, app: app, settings: settings, assumptions: assumptions)
    }

    /// Content without criteria is not filtered (B.2, design).
    func filtersOut(_ criteria: String?) -> Bool {
        guard let criteria, let focusFilter else { return false }
        return !focusFilter.contains(criteria)
    }

    func category(_ identifier: String, has option: NotificationCategory.Option) -> Bool {
        app.category(identifier)?.options.contains(option) == true
    }
}
