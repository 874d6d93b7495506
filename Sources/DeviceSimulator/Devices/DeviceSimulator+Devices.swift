package import APNs
package import DeviceModel
internal import Synchronization

/// The state that a reset retains.
package struct ResetScope: OptionSet, Sendable {
    package let rawValue: Int
    /// Retains devices with tokens, conditions and settings; clears inboxes, badges and counts.
    package static let devices = Self(rawValue: 1)
    package static let apps = Self(rawValue: 2)

    package init(rawValue: Int) { self.rawValue = rawValue }
}

extension DeviceSimulator {
    package func device(named name: String) -> DeviceSummary? { store.withLock { $0.devices[name]?.summary } }

    /// Returns the existing device if there is one.
    @discardableResult
    package func addDevice(named name: String, at now: Instant) throws(SimulatorError) -> DeviceSummary {
        try store.withLock { store throws(SimulatorError) in
            try store.checkWritable()
            return try store.device(named: name, at: now).summary
        }
    }

    @discardableResult
    package func deleteDevice(named name: String) -> Bool { store.withLock { $0.deleteDevice(named: name) } }

    package func apps() -> [App] {
        store.withLock { Array($0.catalog.apps.values) }.sorted { $0.bundleID < $1.bundleID }
    }

    package func app(_ bundleID: String) -> App? { store.withLock { $0.catalog.apps[bundleID] } }

    package func put(_ app: App) { store.withLock { $0.put(app) } }

    @discardableResult
    package func deleteApp(_ bundleID: String) -> Bool { store.withLock { $0.removeApp(bundleID) } }

    /// Clears everything outside the scope. Sequence numbers continue, so cursors stay valid.
    package func reset(keeping scope: ResetScope = []) { store.withLock { $0.reset(keeping: scope) } }
}

extension Store {
    mutating func put(_ app: App) {
        record(.app(app))
        categoriesChange(to: app)
        catalog.apps[app.bundleID] = app
    }

    /// The latest registration wins (I.5): the developer's new categories replace those the app registered on devices.
    private func categoriesChange(to app: App) {
        guard app.categories != catalog.app(app.bundleID).categories else { return }
        for device in devices.values where device.state.app(app.bundleID)?.categories != nil {
            device.state.forgetCategories(of: app.bundleID)
        }
    }

    mutating func removeApp(_ bundleID: String) -> Bool {
        record(.appDeleted(bundleID: bundleID))
        categoriesChange(to: App(bundleID: bundleID))
        return catalog.apps.removeValue(forKey: bundleID) != nil
    }

    mutating func reset(keeping scope: ResetScope) {
        record(.reset(keeping: scope.rawValue))
        catalog.changes?.replaceState()
        log = NotificationLog()
        counts = DeliveryCounts()
        lastDropped = 0
        if scope.contains(.devices) {
            for device in devices.values { device.state.startOver() }
        } else {
            for device in devices.values { device.delete() }
            devices = DeviceTable()
            tokens = [:]
            dues = DueQueue()
        }
        if !scope.contains(.apps) { catalog.apps = [:] }
    }
}

package struct DevicePage: Sendable {
    package var devices: [DeviceSummary]
    /// nil at the end.
    package var next: String?
}

extension DeviceSimulator {
    /// The devices after the cursor, by name.
    package func devicePage(after cursor: String?, limit: Int) -> DevicePage {
        // Only the names are copied under the lock, so a long list does not delay pushes.
        var names = store.withLock { Array($0.devices.keys) }
        if let cursor { names.removeAll { $0 <= cursor } }
        names.sort()
        let shown = names.prefix(max(1, limit))
        let devices = store.withLock { store in shown.compactMap { store.devices[$0]?.summary } }
        return DevicePage(devices: devices, next: shown.count < names.count ? shown.last : nil)
    }
}
