package import DeviceModel
internal import Fields
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

    package func put(_ app: App) {
        replaceCategories(by: app)
        store.withLock { $0.put(app) }
    }

    @discardableResult
    package func deleteApp(_ bundleID: String) -> Bool {
        replaceCategories(by: App(bundleID: bundleID))
        return store.withLock { $0.removeApp(bundleID) }
    }

    /// The latest registration wins (I.5): the developer's new categories replace those the app registered on devices.
    /// Call it before the app changes: repeating the request completes what a crash interrupts.
    private func replaceCategories(by app: App) {
        let bundleID = app.bundleID
        guard store.withLock({ $0.catalog.app(bundleID).categories }) != app.categories else { return }
        inParts(names { $0.state.app(bundleID)?.categories != nil }) { store, name in
            store.devices[name]?.state.forgetCategories(of: bundleID)
        } record: {
            .categoriesReplaced(app: bundleID, devices: $0)
        }
    }

    /// Clears everything outside the scope. Sequence numbers continue, so cursors stay valid.
    package func reset(keeping scope: ResetScope = []) {
        guard scope.contains(.devices) else {
            inParts(names { _ in true }) {
                $0.remove(deviceNamed: $1)
            } record: {
                .devicesDeleted(names: $0)
            }
            return store.withLock { $0.reset(keeping: scope) }
        }
        store.withLock { $0.reset(keeping: scope) }
        inParts(names { _ in true }) {
            $0.startOver(deviceNamed: $1)
        } record: {
            .devicesStartedOver(names: $0)
        }
    }

    /// Changes many devices in parts of about half a millisecond, so that pushes interleave; each part is an input.
    func inParts(
        _ names: [String], _ change: @Sendable (inout SimulatorState, String) -> Void,
        record: @Sendable ([String]) -> SimulatorChange
    ) {
        var rest = names[...]
        while !rest.isEmpty {
            let count = store.withLock { [rest] store in
                let end = ContinuousClock.now + Self.stepDuration
                var part = rest.prefix(0)
                repeat {
                    change(&store, rest[part.endIndex])
                    part = rest.prefix(part.count + 1)
                } while part.count < rest.count && ContinuousClock.now < end
                store.record(record(Array(part)))
                return part.count
            }
            rest.removeFirst(count)
        }
    }
}

extension SimulatorState {
    mutating func put(_ app: App) {
        record(.app(app))
        if !app.isBroadcastEnabled { channels.deleteAll(of: app.bundleID) }
        catalog.apps[app.bundleID] = app
    }

    mutating func removeApp(_ bundleID: String) -> Bool {
        record(.appDeleted(bundleID: bundleID))
        return catalog.apps.removeValue(forKey: bundleID) != nil
    }

    /// - Parameter scope: With devices, each starts over by itself; without, the others are already deleted.
    mutating func reset(keeping scope: ResetScope) {
        record(.reset(keeping: scope.rawValue))
        changes?.replaceState()
        counts -= formerCounts
        formerCounts = DeliveryCounts()
        lastDropped = 0
        shares = []
        formerPushes = nil
        if !scope.contains(.devices) {
            for device in devices.values { device.delete() }
            log = NotificationLog()
            counts = DeliveryCounts()
            if unread != nil { unread = UnreadEvents(generation: generation) }
            devices = DeviceTable()
            people = PersonIndex()
            tokens = [:]
            dues = DueQueue()
        }
        if !scope.contains(.apps) { catalog.apps = [:] }
        channels.reset(keepsChannels: scope.contains(.apps))
    }

    /// A part of an input that the caller records.
    mutating func startOver(deviceNamed name: String) {
        guard let device = devices[name] else { return }
        changes?.replaceState()
        for item in device.state.inbox.items { _ = log.remove(item.sequence) }
        counts -= device.state.counts
        device.state.startOver(at: moment(of: device, at: Instant(milliseconds: .min)))
        forgetActivities(of: device)
        for entry in device.registrations { entry.issuedEvent = 0 }
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

    /// In no order. Only names are copied under the lock, a few at a time, so that many do not delay pushes.
    func names(withPrefix prefix: String) -> [String] {
        var names = self.names { _ in true }
        if !prefix.isEmpty { names.removeAll { !$0.utf8.starts(with: prefix.utf8) } }
        return names
    }

    func names(where isWanted: @Sendable (Device) -> Bool) -> [String] {
        var names: [String] = []
        for shard in 0..<DeviceTable.shardCount {
            names += store.withLock { $0.devices.names(inShard: shard, where: isWanted) }
        }
        return names
    }
}
