package import DeviceModel
internal import Fields
internal import LiveModel
internal import Synchronization
package import Time

/// The state that a reset retains.
package struct ResetScope: OptionSet, Sendable {
    package let rawValue: Int
    /// Retains devices with tokens, conditions and settings; clears inboxes, badges and counts.
    package static let devices = Self(rawValue: 1)
    package static let apps = Self(rawValue: 2)

    package init(rawValue: Int) { self.rawValue = rawValue }
}

extension DeviceSimulator {
    /// The metadata about the apps of files, forgotten when a reset removes apps: the files' next reading restores them.
    package static let appliedAppsName = "fixtures.apps"

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

    package func hasUninstalled(_ bundleID: String, on device: String) -> Bool {
        store.withLock { $0.devices[device]?.state.uninstalled.contains(bundleID) ?? false }
    }

    package func app(_ bundleID: String) -> App? { store.withLock { $0.catalog.apps[bundleID] } }

    package func put(_ app: App) { store.withLock { $0.put(app) } }

    /// Creates or replaces an app. On devices where its own settings apply, a change of them has the same consequences as
    /// the person's; where its widgets and controls are placed, their tokens follow the push handlers.
    package func put(_ app: App, at now: Instant) {
        let former = store.withLock { store in
            defer { store.put(app) }
            return store.catalog.app(app.bundleID)
        }
        follow(app, after: former, at: now)
    }

    /// Deletes an app: what it declared is the default again, with the consequences of a change.
    @discardableResult
    package func deleteApp(_ bundleID: String, at now: Instant) -> Bool {
        let (former, isDeleted) = store.withLock { ($0.catalog.app(bundleID), $0.removeApp(bundleID)) }
        follow(App(bundleID: bundleID), after: former, at: now)
        return isDeleted
    }

    private func follow(_ app: App, after former: App, at now: Instant) {
        let bundleID = app.bundleID
        // While the journal cannot be written, the devices stay as they are.
        if app.settings != former.settings {
            for name in names(where: { $0.isConcerned(by: app) }) {
                _ = try? perform(.settings(nil, app: bundleID), on: name, at: now)
            }
        }
        if app.hasOtherSurfaces(than: former) {
            for name in names(where: { $0.placesSurfaces(of: bundleID) }) {
                _ = try? perform(.surfaces(app: bundleID), on: name, at: now)
            }
        }
    }

    /// Clears everything outside the scope. Sequence numbers continue, so cursors stay valid. Where widgets and controls are
    /// placed, their tokens follow the apps that are gone.
    package func reset(keeping scope: ResetScope = [], at now: Instant) {
        if !scope.contains(.devices) {
            // In parts: deleting many devices takes long.
            var rest = names { _ in true }[...]
            while !rest.isEmpty {
                let count = store.withLock { $0.deleteDevices(named: rest, until: .now + Self.stepDuration) }
                rest.removeFirst(count)
            }
        }
        let wakeUps = store.withLock { store in
            let former = store.catalog
            store.reset(keeping: scope)
            return store.exchangeTokens(after: former, at: now).map { store.takeWakeUps(device: $0, topic: nil) }
        }
        for wakeUp in wakeUps { wake(wakeUp) }
    }
}

extension App {
    fileprivate func hasOtherSurfaces(than other: App) -> Bool {
        widgets != other.widgets || controls != other.controls
    }
}

extension Device {
    fileprivate func placesSurfaces(of bundleID: String) -> Bool {
        let settings = state.live.services[bundleID].settings
        return !settings.widgets.isEmpty || !settings.controls.isEmpty
    }

    /// Whether the app's own settings end something on the device, or begin the time of an App Clip.
    fileprivate func isConcerned(by app: App) -> Bool {
        let (bundleID, known) = (app.bundleID, state.app(app.bundleID))
        guard known?.settings == nil else { return false }
        if app.settings.authorizationStatus == .ephemeral {
            return known?.ephemeralUntil == nil && appNames().contains(bundleID)
        }
        if known?.prompt?.isOpen(under: app.settings) == false { return true }
        let present = state.inbox.items.lazy.filter { $0.bundleID == bundleID && $0.places.isPresent }
        return present.contains { item in
            !app.settings.allowsAnything
                || app.settings.scheduledDelivery != .enabled && item.places.contains(.nextSummary)
        }
    }
}

extension SimulatorState {
    mutating func put(_ app: App) {
        record(.app(app))
        categoriesChange(to: app)
        if !app.isBroadcastEnabled { channels.deleteAll(of: app.bundleID) }
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

    /// Journaled after the reset, as inputs of the devices.
    ///
    /// - Returns: The devices.
    fileprivate mutating func exchangeTokens(after former: AppCatalog, at now: Instant) -> [String] {
        var names: [String] = []
        for (bundleID, app) in former.apps.sorted(by: { $0.key < $1.key })
        where catalog.app(bundleID).hasOtherSurfaces(than: app) {
            for device in devices.values where device.placesSurfaces(of: bundleID) {
                // While the journal cannot be written, the devices stay as they are.
                guard (try? apply(.surfaces(app: bundleID), on: device, at: now)) != nil else { continue }
                names.append(device.name)
            }
        }
        return names
    }

    mutating func reset(keeping scope: ResetScope) {
        record(.reset(keeping: scope.rawValue))
        changes?.replaceState()
        log = NotificationLog()
        counts = DeliveryCounts()
        lastDropped = 0
        shares = []
        formerPushes = nil
        if scope.contains(.devices) {
            for device in devices.values {
                device.state.startOver(at: moment(of: device, at: Instant(milliseconds: .min)))
                forgetActivities(of: device)
                for entry in device.registrations { entry.issuedEvent = 0 }
            }
        } else {
            for device in devices.values { device.delete() }
            if unread != nil { unread = UnreadEvents(generation: generation) }
            devices = DeviceTable()
            deletedCount &+= 1
            people = DeviceLists()
            tokens = [:]
            dues = DueQueue()
        }
        if !scope.contains(.apps) {
            for bundleID in catalog.apps.keys { categoriesChange(to: App(bundleID: bundleID)) }
            catalog.apps = [:]
            metadata[DeviceSimulator.appliedAppsName] = nil
        }
        channels.reset(keepsChannels: scope.contains(.apps))
    }
}

package struct DevicePage: Sendable {
    package var devices: [DeviceSummary]
    /// nil at the end.
    package var next: String?
    /// How many devices there are with the prefix.
    package var total: Int
}

extension DeviceSimulator {
    /// The devices after the cursor whose names have the prefix, by name.
    package func devicePage(after cursor: String? = nil, prefix: String = "", limit: Int) -> DevicePage {
        var names = names(withPrefix: prefix)
        let total = names.count
        if let cursor { names.removeAll { $0 <= cursor } }
        let shown = names.smallest(max(1, limit))
        let devices = store.withLock { store in shown.compactMap { store.devices[$0]?.summary } }
        return DevicePage(devices: devices, next: shown.count < names.count ? shown.last : nil, total: total)
    }

    func names(withPrefix prefix: String) -> [String] { names { $0.name.utf8.starts(with: prefix.utf8) } }

    /// In no order. Only names are copied under the lock, a few at a time, so that many do not delay pushes.
    func names(where isWanted: @Sendable (Device) -> Bool) -> [String] {
        var names: [String] = []
        for shard in 0..<DeviceTable.shardCount {
            names += store.withLock { $0.devices.names(inShard: shard, where: isWanted) }
        }
        return names
    }
}
