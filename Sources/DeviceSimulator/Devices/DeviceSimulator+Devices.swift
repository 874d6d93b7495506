package import APNs
package import DeviceModel
internal import Synchronization

/// What a reset leaves alone.
package struct ResetScope: OptionSet, Sendable {
    /// One bit for each kind of thing.
    package let rawValue: Int
    /// Keeps devices, their tokens, conditions and settings; their inboxes, badges and counts are cleared.
    package static let devices = Self(rawValue: 1)
    /// Keeps the apps.
    package static let apps = Self(rawValue: 2)

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

/// Devices, apps, and starting over.
extension DeviceSimulator {
    /// All devices, by name.
    package func devices() -> [DeviceSummary] {
        store.withLock { store in store.devices.values.map(\.summary) }.sorted { $0.name < $1.name }
    }

    /// One device; nil when there is none of the name.
    package func device(named name: String) -> DeviceSummary? {
        store.withLock { $0.devices[name]?.summary }
    }

    /// Makes a device; one of the name stays as it is.
    ///
    /// - Throws: `SimulatorError.tooManyDevices`.
    @discardableResult
    package func addDevice(named name: String, at now: Instant) throws(SimulatorError) -> DeviceSummary {
        try store.withLock { store throws(SimulatorError) in
            try store.checkWritable()
            return try store.device(named: name, at: now).summary
        }
    }

    /// Deletes a device with its tokens, which nobody knows from then on, and its notifications.
    ///
    /// - Returns: False when there is none of the name.
    @discardableResult
    package func deleteDevice(named name: String) -> Bool {
        store.withLock { $0.deleteDevice(named: name) }
    }

    /// All apps, by bundle identifier.
    package func apps() -> [App] {
        store.withLock { Array($0.catalog.apps.values) }.sorted { $0.bundleID < $1.bundleID }
    }

    /// One app; nil when there is none of the bundle identifier.
    package func app(_ bundleID: String) -> App? {
        store.withLock { $0.catalog.apps[bundleID] }
    }

    /// Adds an app, or puts it in the place of the one with its bundle identifier.
    package func put(_ app: App) {
        store.withLock { $0.put(app) }
    }

    /// Deletes an app; false when there is none of the bundle identifier.
    @discardableResult
    package func deleteApp(_ bundleID: String) -> Bool {
        store.withLock { $0.removeApp(bundleID) }
    }

    /// Clears everything but what `scope` keeps; sequence numbers go on, so cursors stay good.
    package func reset(keeping scope: ResetScope = []) {
        store.withLock { $0.reset(keeping: scope) }
    }
}

extension Store {
    mutating func put(_ app: App) {
        record(.app(app))
        categoriesChange(to: app)
        catalog.put(app)
    }

    /// What an app registered on its devices counts until its developer's categories change: the last call counts (I.5).
    private func categoriesChange(to app: App) {
        guard app.categories != catalog.app(app.bundleID).categories else { return }
        for device in devices.values where device.state.ownCategories(of: app.bundleID) != nil {
            device.state.forgetCategories(of: app.bundleID)
        }
    }

    mutating func removeApp(_ bundleID: String) -> Bool {
        record(.appDeleted(bundleID: bundleID))
        categoriesChange(to: App(bundleID: bundleID))
        return catalog.removeApp(bundleID)
    }

    mutating func reset(keeping scope: ResetScope) {
        record(.reset(keeping: scope.rawValue))
        log = NotificationLog()
        counts = DeliveryCounts()
        lastDropped = 0
        if scope.contains(.devices) {
            for device in devices.values { device.startOver(in: catalog) }
        } else {
            for device in devices.values { device.delete() }
            devices = DeviceTable()
            tokens = [:]
            dues = DueQueue()
        }
        if !scope.contains(.apps) { catalog.removeApps() }
    }
}
