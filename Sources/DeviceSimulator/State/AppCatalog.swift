internal import DeviceModel

/// What all devices share: apps, assumptions and common policy contexts.
///
/// - Note: Touched only under the store's lock.
final class AppCatalog {
    /// By bundle identifier.
    var apps: [String: App] = [:] { didSet { forget() } }
    var assumptions: Assumptions { didSet { forget() } }
    /// The conditions of a new device.
    let plainConditions: Shared<DeviceConditions>
    /// The conditions set last; fleets often get equal ones, device by device.
    private var latestConditions: Shared<DeviceConditions>
    /// By app, for devices in plain conditions.
    private var plain: [String: PolicyContext] = [:]
    /// By app, for devices in the latest conditions.
    private var latest: [String: PolicyContext] = [:]
    /// Incremented when a checkpoint begins; devices save themselves for it before they change.
    private(set) var checkpointNumber: UInt32 = 0
    /// Incremented with each change, which makes policy contexts stale.
    private(set) var revision: UInt32 = 1
    /// A cache, not part of the state: most decisions equal the previous one.
    var lastDecision: MadeDecision?

    init(assumptions: Assumptions, conditions: DeviceConditions) {
        self.assumptions = assumptions
        plainConditions = Shared(conditions)
        latestConditions = plainConditions
    }

    func share(_ conditions: DeviceConditions) -> Shared<DeviceConditions> { share(Shared(conditions)) }

    /// The same object for equal conditions, if they are those of a new device or those set last.
    func share(_ conditions: Shared<DeviceConditions>) -> Shared<DeviceConditions> {
        if conditions == latestConditions { return latestConditions }
        latest = [:]
        latestConditions = conditions == plainConditions ? plainConditions : conditions
        return latestConditions
    }

    func beginCheckpoint() { checkpointNumber &+= 1 }

    /// An app; an unknown one has only its bundle identifier.
    func app(_ bundleID: String) -> App { apps[bundleID] ?? App(bundleID: bundleID) }

    func app(_ bundleID: String, on state: DeviceState) -> App {
        var app = app(bundleID)
        if let categories = state.app(bundleID)?.categories { app.categories = categories }
        return app
    }

    private func forget() {
        plain = [:]
        latest = [:]
        revision &+= 1
    }

    /// The policy context of a push to an app on a device.
    func context(of bundleID: String, on state: DeviceState) -> PolicyContext {
        let known = state.app(bundleID)
        let isPlain = known?.settings == nil && known?.categories == nil
        if isPlain, state.conditions === plainConditions {
            return remembered(bundleID, in: &plain, on: plainConditions.value)
        }
        if isPlain, state.conditions === latestConditions {
            return remembered(bundleID, in: &latest, on: latestConditions.value)
        }
        let app = app(bundleID, on: state)
        return PolicyContext(
            device: state.conditions.value, app: app, settings: known?.settings?.value ?? app.settings,
            assumptions: assumptions)
    }

    /// As `context(of:on:)`, but the same object as before if it is equal.
    func context(of bundleID: String, on state: DeviceState, like before: PolicyContext) -> PolicyContext {
        let now = context(of: bundleID, on: state)
        let isSame =
            now.settings == before.settings && now.app == before.app && now.device == before.device
            && now.assumptions == before.assumptions
        return isSame ? before : now
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

/// An immutable value with many holders; two are equal when their values are.
final class Shared<Value: Sendable & Equatable>: Sendable, Equatable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }
}

extension Shared: Encodable where Value: Encodable {
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Shared: Decodable where Value: Decodable {
    convenience init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}
