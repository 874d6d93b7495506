internal import DeviceModel

/// What all devices share: apps and assumptions, a value whose copies cost a reference, and the store's channels.
struct AppCatalog {
    private var contents: Contents

    init(assumptions: Assumptions, conditions: DeviceConditions, channels: ChannelTable = ChannelTable()) {
        contents = Contents(
            assumptions: assumptions, channels: channels, memo: PolicyMemo(plainConditions: Shared(conditions)))
    }

    /// Copies have the same. Only the store changes it, between inputs of devices.
    var channels: ChannelTable { contents.channels }

    var apps: [String: App] {
        get { contents.apps }
        _modify { yield &changed().apps }
    }
    var assumptions: Assumptions {
        get { contents.assumptions }
        set { changed().assumptions = newValue }
    }
    /// Of the store's limits.
    var retention: Int64? {
        get { contents.retention }
        set { if newValue != retention { changed().retention = newValue } }
    }
    /// Incremented with each change to invalidate policy contexts.
    var revision: UInt32 { contents.revision }

    private mutating func changed() -> Contents {
        if isKnownUniquelyReferenced(&contents) {
            contents.memo.forgetContexts()
        } else {
            contents = Contents(copying: contents)
        }
        contents.revision &+= 1
        return contents
    }

    /// An unknown app has only its bundle identifier.
    func app(_ bundleID: String) -> App {
        apps[bundleID] ?? (bundleID == App.calendar.bundleID ? .calendar : App(bundleID: bundleID))
    }

    func app(_ bundleID: String, on state: DeviceState) -> App {
        var app = app(bundleID)
        if let categories = state.app(bundleID)?.categories { app.categories = categories }
        return app
    }

    private final class Contents {
        var apps: [String: App] = [:]
        var assumptions: Assumptions
        var retention: Int64?
        var revision: UInt32 = 1
        let channels: ChannelTable
        let memo: PolicyMemo

        init(assumptions: Assumptions, channels: ChannelTable, memo: PolicyMemo) {
            self.assumptions = assumptions
            self.channels = channels
            self.memo = memo
        }

        init(copying original: Contents) {
            apps = original.apps
            assumptions = original.assumptions
            retention = original.retention
            revision = original.revision
            channels = original.channels
            memo = PolicyMemo(like: original.memo)
        }
    }
}

// MARK: Shared by equal inputs

extension AppCatalog {
    var plainConditions: Shared<DeviceConditions> { contents.memo.plainConditions }

    func share(_ conditions: DeviceConditions) -> Shared<DeviceConditions> { share(Shared(conditions)) }

    /// Returns the shared object for conditions equal to a new device's or to those set last.
    func share(_ conditions: Shared<DeviceConditions>) -> Shared<DeviceConditions> { contents.memo.share(conditions) }

    func decide(_ inputs: borrowing InterruptionInputs) -> InterruptionOutcome { contents.memo.decide(inputs) }

    func context(of bundleID: String, on state: DeviceState) -> PolicyContext {
        let known = state.app(bundleID)
        let isPlain = known?.settings == nil && known?.categories == nil
        if isPlain, let found = contents.memo.context(of: bundleID, in: state.conditions, from: self) { return found }
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
}

/// Objects and decisions that equal inputs share. A memo: what it returns depends on the arguments only. The store's
/// lock guards it.
final class PolicyMemo {
    let plainConditions: Shared<DeviceConditions>
    /// The conditions set last: fleets often set equal conditions device by device.
    private var latestConditions: Shared<DeviceConditions>
    /// By bundle identifier, for devices in plain conditions.
    private var plain: [String: PolicyContext] = [:]
    /// By bundle identifier, for devices in the latest conditions.
    private var latest: [String: PolicyContext] = [:]
    /// Most decisions equal the previous one.
    private var lastDecision: MadeDecision?

    init(plainConditions: Shared<DeviceConditions>) {
        self.plainConditions = plainConditions
        latestConditions = plainConditions
    }

    /// Without the contexts, which belong to one catalog.
    convenience init(like original: PolicyMemo) {
        self.init(plainConditions: original.plainConditions)
        latestConditions = original.latestConditions
    }

    func forgetContexts() {
        plain = [:]
        latest = [:]
    }

    func decide(_ inputs: borrowing InterruptionInputs) -> InterruptionOutcome {
        let decision = MadeDecision(inputs, last: lastDecision)
        lastDecision = decision
        return decision.outcome
    }

    func share(_ conditions: Shared<DeviceConditions>) -> Shared<DeviceConditions> {
        if conditions == latestConditions { return latestConditions }
        latest = [:]
        latestConditions = conditions == plainConditions ? plainConditions : conditions
        return latestConditions
    }

    /// The context of an app without state on the device; nil for conditions that are not shared.
    func context(
        of bundleID: String, in conditions: Shared<DeviceConditions>, from catalog: AppCatalog
    ) -> PolicyContext? {
        if conditions === plainConditions { return Self.context(of: bundleID, in: &plain, conditions, catalog) }
        if conditions === latestConditions { return Self.context(of: bundleID, in: &latest, conditions, catalog) }
        return nil
    }

    private static func context(
        of bundleID: String, in known: inout [String: PolicyContext], _ conditions: Shared<DeviceConditions>,
        _ catalog: AppCatalog
    ) -> PolicyContext {
        if let found = known[bundleID] { return found }
        let app = catalog.app(bundleID)
        let made = PolicyContext(
            device: conditions.value, app: app, settings: app.settings, assumptions: catalog.assumptions)
        known[bundleID] = made
        return made
    }
}

/// An immutable value with many holders, compared by value.
package final class Shared<Value: Sendable & Equatable>: Sendable, Equatable {
    package let value: Value

    package init(_ value: Value) { self.value = value }

    package static func == (left: Shared, right: Shared) -> Bool { left === right || left.value == right.value }
}

extension Shared: Encodable where Value: Encodable {
    package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Shared: Decodable where Value: Decodable {
    package convenience init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}
