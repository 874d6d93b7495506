internal import DeviceModel

/// What all devices share: the apps, the assumptions, and context that are the same for many.
///
/// - Note: Touched only under the store's lock.
final class AppCatalog {
    /// The apps by bundle identifier.
    private(set) var apps: [String: App] = [:]
    var assumptions: Assumptions { didSet { forget() } }
    /// What devices are like until somebody changes them.
    let plainConditions: Shared<DeviceConditions>
    /// The conditions that a device took over last; fleets are often put into the same ones, one after the other.
    private var latestConditions: Shared<DeviceConditions>
    /// Contexts of apps on devices that are as they were made.
    private var plain: [String: PolicyContext] = [:]
    /// Contexts of apps on devices in the latest conditions.
    private var latest: [String: PolicyContext] = [:]
    /// One more with each checkpoint that is begun; devices save what they were like then before they change.
    private(set) var checkpointNumber: UInt32 = 0
    /// One more with each change; context made before are out of date.
    private(set) var revision: UInt32 = 1

    /// The decision made last, about whatever push: most of the next ones are the same. A cache; not part of the state.
    var lastDecision: MadeDecision?

    init(assumptions: Assumptions, conditions: DeviceConditions) {
        self.assumptions = assumptions
        plainConditions = Shared(conditions)
        latestConditions = plainConditions
    }

    func share(_ conditions: DeviceConditions) -> Shared<DeviceConditions> { share(Shared(conditions)) }

    /// Conditions as an object, the same for many equal ones.
    func share(_ conditions: Shared<DeviceConditions>) -> Shared<DeviceConditions> {
        if conditions == latestConditions { return latestConditions }
        latest = [:]
        latestConditions = conditions == plainConditions ? plainConditions : conditions
        return latestConditions
    }

    /// Begins a checkpoint of everything as it is now.
    func beginCheckpoint() { checkpointNumber &+= 1 }

    /// An app; one that nobody described has a name and nothing else.
    func app(_ bundleID: String) -> App { apps[bundleID] ?? App(bundleID: bundleID) }

    func app(_ bundleID: String, on state: DeviceState) -> App {
        var app = app(bundleID)
        if let categories = state.ownCategories(of: bundleID) { app.categories = categories }
        return app
    }

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
        latest = [:]
        revision &+= 1
    }

    /// What surrounds a push to an app on a device.
    func context(of bundleID: String, on state: DeviceState) -> PolicyContext {
        let settings = state.ownSettings(of: bundleID)
        let isPlain = settings == nil && state.ownCategories(of: bundleID) == nil
        if isPlain, state.conditions === plainConditions {
            return remembered(bundleID, in: &plain, on: plainConditions.value)
        }
        if isPlain, state.conditions === latestConditions {
            return remembered(bundleID, in: &latest, on: latestConditions.value)
        }
        let app = app(bundleID, on: state)
        return PolicyContext(
            device: state.conditions.value, app: app, settings: settings?.value ?? app.settings,
            assumptions: assumptions)
    }

    private func remembered(
        _ bundleID: String, in known: inout [String: PolicyContext], on device: DeviceConditions
    ) -> PolicyContext {
        if let found = known[bundleID] { return found }
        let app = app(bundleID)
        let made = PolicyContext(device: device, app: app, settings: app.settings, assumptions: assumptions)
        known[bundleID] = made
        return made
    }
}
