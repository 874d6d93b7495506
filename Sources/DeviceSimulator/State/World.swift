internal import DeviceModel

/// What all devices share: the apps, the assumptions, and circumstances that are the same for many.
///
/// - Note: Touched only under the store's lock.
final class World {
    /// The apps by bundle identifier.
    private(set) var apps: [String: App] = [:]
    var assumptions: Assumptions { didSet { forget() } }
    /// What devices are like until somebody changes them.
    let plainConditions: Shared<DeviceConditions>
    /// Circumstances of apps on devices that are as they were made.
    private var plain: [String: Circumstances] = [:]
    /// One more with each change; circumstances made before are out of date.
    private(set) var revision: UInt32 = 1

    init(assumptions: Assumptions, conditions: DeviceConditions) {
        self.assumptions = assumptions
        plainConditions = Shared(conditions)
    }

    /// An app; one that nobody described has a name and nothing else.
    func app(_ bundleID: String) -> App { apps[bundleID] ?? App(bundleID: bundleID) }

    func put(_ app: App) {
        apps[app.bundleID] = app
        forget()
    }

    @discardableResult
    func removeApp(_ bundleID: String) -> Bool {
        forget()
        return apps.removeValue(forKey: bundleID) != nil
    }

    func removeApps() {
        apps = [:]
        forget()
    }

    private func forget() {
        plain = [:]
        revision &+= 1
    }

    /// What surrounds a push to an app on a device.
    func circumstances(of bundleID: String, on state: DeviceState) -> Circumstances {
        let settings = state.ownSettings(of: bundleID)
        guard state.conditions === plainConditions, settings == nil else {
            let app = app(bundleID)
            return Circumstances(
                device: state.conditions.value, app: app, settings: settings?.value ?? app.settings,
                assumptions: assumptions)
        }
        if let known = plain[bundleID] { return known }
        let app = app(bundleID)
        let made = Circumstances(
            device: plainConditions.value, app: app, settings: app.settings, assumptions: assumptions)
        plain[bundleID] = made
        return made
    }
}
