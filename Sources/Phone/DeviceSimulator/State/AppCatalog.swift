internal import DeviceModel

/// What all devices share: apps, channels, assumptions and policy contexts. The store's lock guards it.
final class AppCatalog {
    var apps: [String: App] = [:] { didSet { forget() } }
    var assumptions: Assumptions { didSet { forget() } }
    var channels = ChannelTable()
    /// Of the store's limits.
    var retention: Int64?
    let plainConditions: Shared<DeviceConditions>
    /// The conditions set last: fleets often set equal conditions device by device.
    private var latestConditions: Shared<DeviceConditions>
    /// By bundle identifier, for devices in plain conditions.
    private var plain: [String: PolicyContext] = [:]
    /// By bundle identifier, for devices in the latest conditions.
    private var latest: [String: PolicyContext] = [:]
    /// Incremented when a checkpoint begins; a device saves itself for the checkpoint before it changes.
    private(set) var checkpointNumber: UInt32 = 0
    /// Incremented with each change to invalidate policy contexts.
    private(set) var revision: UInt32 = 1
    /// Records changes for the event stream; nil while it is idle. Not part of the state.
    var changes: ChangeSet?
    /// Of the newest notification; never decreases.
    var lastSequence: UInt64 = 0
    /// Local notifications that fired on the device being changed; the store logs them right after.
    var fired: [LogEntry] = []
    /// A cache, not part of the state: most decisions equal the previous one.
    private var lastDecision: MadeDecision?

    init(assumptions: Assumptions, conditions: DeviceConditions) {
        self.assumptions = assumptions
        plainConditions = Shared(conditions)
        latestConditions = plainConditions
    }

    /// Changes of the copy do not affect the original.
    convenience init(copying original: AppCatalog) {
        self.init(assumptions: original.assumptions, conditions: original.plainConditions.value)
        apps = original.apps
        revision = original.revision &+ 1
        channels = original.channels
        lastSequence = original.lastSequence
    }

    func decide(_ inputs: borrowing InterruptionInputs) -> InterruptionOutcome {
        let decision = MadeDecision(inputs, last: lastDecision)
        lastDecision = decision
        return decision.outcome
    }

    func share(_ conditions: DeviceConditions) -> Shared<DeviceConditions> { share(Shared(conditions)) }

    /// Returns the shared object for conditions equal to a new device's or to those set last.
    func share(_ conditions: Shared<DeviceConditions>) -> Shared<DeviceConditions> {
        if conditions == latestConditions { return latestConditions }
        latest = [:]
        latestConditions = conditions == plainConditions ? plainConditions : conditions
        return latestConditions
    }

    func beginCheckpoint() { checkpointNumber &+= 1 }

    /// An unknown app has only its bundle identifier.
    func app(_ bundleID: String) -> App {
        apps[bundleID] ?? (bundleID == App.calendar.bundleID ? .calendar : App(bundleID: bundleID))
    }

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

    func context(of bundleID: String, on state: DeviceState) -> PolicyContext {
        let known = state.app(bundleID)
        let isPlain = known?.settings == nil && known?.categories == nil
        if isPlain, state.conditions === plainConditions {
            return cachedContext(bundleID, in: &plain, on: plainConditions.value)
        }
        if isPlain, state.conditions === latestConditions {
            return cachedContext(bundleID, in: &latest, on: latestConditions.value)
        }
        let app = app(bundleID, on: state)
        return PolicyContext(
            device: state.conditions.value, app: app, settings: known?.settings?.value ?? app.settings,
            assumptions: assumptions)
    }

    /// Returns `before` if the context is equal to it.
    func context(of bundleID: String, on state: DeviceState, like before: PolicyContext) -> PolicyContext {
        let now = context(of: bundleID, on: state)
        return PolicyInputs(now) == PolicyInputs(before) ? before : now
    }

    private func cachedContext(
        _ bundleID: String, in known: inout [String: PolicyContext], on device: DeviceConditions
    ) -> PolicyContext {
        if let found = known[bundleID] { return found }
        let app = app(bundleID)
        let made = PolicyContext(device: device, app: app, settings: app.settings, assumptions: assumptions)
        known[bundleID] = made
        return made
    }
}

/// An immutable value with many holders, compared by value.
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
