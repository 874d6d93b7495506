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
