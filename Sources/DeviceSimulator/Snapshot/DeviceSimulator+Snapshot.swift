internal import APNs
internal import DeviceModel
internal import Synchronization

/// Saving everything, and putting it back.
extension DeviceSimulator {
    /// Everything the simulator holds.
    public func snapshot() -> SimulatorSnapshot {
        // Objects are immutable but for what is copied here, so the lengthy part happens outside the lock.
        var notifications: [Notification] = []
        var snapshot = store.withLock { store in
            var snapshot = SimulatorSnapshot()
            snapshot.apps = Array(store.apps.values)
            snapshot.devices = store.devices.values.map(\.snapshot)
            snapshot.lastSequence = store.lastSequence
            snapshot.counts = store.counts
            snapshot.lastDropped = store.lastDropped
            store.log.forEach(after: 0) { entry in
                if let notification = Notification(entry) { notifications.append(notification) }
                return true
            }
            return snapshot
        }
        snapshot.apps.sort { $0.bundleID < $1.bundleID }
        snapshot.devices.sort { $0.name < $1.name }
        snapshot.notifications = notifications.map { notification in
            SimulatorSnapshot.NotificationSnapshot(
                sequence: notification.sequence, token: notification.registration.token,
                push: PushSnapshot(notification.push, token: notification.registration.token),
                state: notification.state,
                settledAt: notification.settledAt)
        }
        return snapshot
    }

    /// Puts a snapshot in the place of everything the simulator holds; loading it twice changes nothing more.
    ///
    /// What is more than the limits allow is dropped and counted. Sequence numbers go on from the greater of both, so cursors stay good; waits go on, too.
    ///
    /// - Throws: `SnapshotError`; nothing has changed then.
    public func load(_ snapshot: SimulatorSnapshot) throws(SnapshotError) {
        let woken = try store.withLock { store throws(SnapshotError) in
            var loaded = try Store(snapshot, limits: store.limits)
            loaded.lastSequence = max(loaded.lastSequence, store.lastSequence)
            loaded.isFinished = store.isFinished
            loaded.lastWaiter = store.lastWaiter
            let woken = Array(store.waiters.values)
            for device in store.devices.values { device.delete() }
            store = loaded
            return woken
        }
        for waiter in woken { waiter.resume() }
    }
}

/// Why a snapshot cannot be loaded.
public enum SnapshotError: Error, Sendable, Hashable {
    /// A name or token that must be unique is there twice.
    case duplicate(String)
    /// A notification belongs to no token of the snapshot, or is out of order, or its request is damaged.
    case badNotification(sequence: UInt64)

    /// A sentence for people.
    public var message: String {
        switch self {
        case .duplicate(let name): "\"\(name)\" is there twice"
        case .badNotification(let sequence):
            "notification \(sequence) has no registration, is out of order, or its request is damaged"
        }
    }
}

extension Device {
    fileprivate var snapshot: SimulatorSnapshot.DeviceSnapshot {
        SimulatorSnapshot.DeviceSnapshot(
            name: name, createdAt: createdAt, registrations: registrations.map(\.saved), counts: state.counts,
            lastDropped: state.lastDropped)
    }
}

extension RegistrationEntry {
    fileprivate var saved: SimulatorSnapshot.RegistrationSnapshot {
        SimulatorSnapshot.RegistrationSnapshot(
            token: token, topic: topic, environment: environment, kind: kind, generation: Int(generation),
            registeredAt: registeredAt, status: status)
    }
}

extension Store {
    fileprivate init(_ snapshot: SimulatorSnapshot, limits: InboxLimits) throws(SnapshotError) {
        self.init(limits: limits)
        apps = Dictionary(snapshot.apps.map { ($0.bundleID, $0) }) { _, last in last }
        counts = snapshot.counts
        lastDropped = snapshot.lastDropped
        for device in snapshot.devices { try add(device) }
        for notification in snapshot.notifications { try add(notification) }
        lastSequence = max(lastSequence, snapshot.lastSequence)
    }

    fileprivate mutating func add(_ saved: SimulatorSnapshot.DeviceSnapshot) throws(SnapshotError) {
        guard devices[saved.name] == nil else { throw .duplicate(saved.name) }
        let device = Device(name: saved.name, createdAt: saved.createdAt)
        device.state = DeviceState(counts: saved.counts, lastDropped: saved.lastDropped)
        devices[saved.name] = device
        for registration in saved.registrations {
            let token = registration.token
            guard tokens[token] == nil else { throw .duplicate(token.hex) }
            let request = TokenRequest(
                device: saved.name, topic: registration.topic, environment: registration.environment,
                kind: registration.kind, generation: registration.generation)
            let entry = RegistrationEntry(request, on: device, token: token, at: registration.registeredAt)
            entry.status = registration.status
            device.registrations.append(entry)
            tokens[token] = entry
        }
    }

    fileprivate mutating func add(_ saved: SimulatorSnapshot.NotificationSnapshot) throws(SnapshotError) {
        guard
            saved.sequence > lastSequence, let registration = tokens[saved.token],
            let push = saved.push.push(token: registration.token)
        else { throw .badNotification(sequence: saved.sequence) }
        lastSequence = saved.sequence
        let delay = saved.settledAt.milliseconds - push.receivedAt.milliseconds
        registration.device.state.restore(saved.sequence)
        log.append(
            LogEntry(
                push: push, registration: registration, sequence: saved.sequence,
                settleDelay: UInt32(clamping: delay), state: saved.state))
        makeRoom(on: registration.device)
    }
}
