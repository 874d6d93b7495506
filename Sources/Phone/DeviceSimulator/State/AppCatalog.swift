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

    /// An equal catalog with a memo of its own.
    var detached: AppCatalog {
        var copy = self
        copy.contents = Contents(copying: contents)
        return copy
    }

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
