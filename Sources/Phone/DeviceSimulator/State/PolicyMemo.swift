internal import DeviceModel

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
