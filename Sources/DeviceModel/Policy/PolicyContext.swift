/// What surrounded a push when it was decided about: device, app, settings and assumptions.
///
/// Immutable and shared by all pushes until one of them changes, so that a decision can be explained long afterwards at the
/// cost of a reference.
package final class PolicyContext: Sendable {
    package let device: DeviceConditions
    package let app: App
    /// The app's settings on this device.
    package let settings: NotificationSettings
    package let assumptions: Assumptions

    /// The Focus that is on; nil for none.
    let focus: Focus?
    /// The criteria that the app's filter in that Focus lets through; nil when it has none.
    let focusFilter: [String]?
    /// What is true of every push alike.
    let facts: Facts

    /// Puts them together.
    package init(device: DeviceConditions, app: App, settings: NotificationSettings, assumptions: Assumptions) {
        self.device = device
        self.app = app
        self.settings = settings
        self.assumptions = assumptions
        focus = device.focus.activeMode
        focusFilter = focus?.filters.first { $0.bundleID == app.bundleID }?.allowedCriteria
        facts = Self.facts(
            device: device, focus: focus, app: app, settings: settings, assumptions: assumptions)
    }

    /// Whether the app's Focus filter leaves criteria out; content without criteria is not filtered (B.2, design).
    func filtersOut(_ criteria: String?) -> Bool {
        guard let criteria, let focusFilter else { return false }
        return !focusFilter.contains(criteria)
    }

    /// Whether a category shows the title although previews are hidden.
    func showsHiddenTitle(_ category: String) -> Bool {
        app.category(category)?.options.contains(.hiddenPreviewsShowTitle) == true
    }

    /// Whether a category may be shown in CarPlay.
    func allowsInCarPlay(_ category: String) -> Bool {
        app.category(category)?.options.contains(.allowInCarPlay) == true
    }
}
