/// Device, app, settings and assumptions that a push was decided in.
///
/// Immutable and shared by all pushes until one of them changes, so a decision can be explained later at the cost of a
/// reference.
package final class PolicyContext: Sendable {
    package let device: DeviceConditions
    package let app: App
    /// The app's settings on this device.
    package let settings: NotificationSettings
    package let assumptions: Assumptions
    /// The active Focus.
    let focus: Focus?
    /// The criteria that the app's filters in that Focus let through; nil when it has none.
    let focusFilter: [String]?
    /// What is true of every push alike.
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

    func showsHiddenTitle(_ category: String) -> Bool {
        app.category(category)?.options.contains(.hiddenPreviewsShowTitle) == true
    }

    func allowsInCarPlay(_ category: String) -> Bool {
        app.category(category)?.options.contains(.allowInCarPlay) == true
    }
}
