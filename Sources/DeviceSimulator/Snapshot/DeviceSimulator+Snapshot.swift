public import APNs
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
            snapshot.apps = Array(store.world.apps.values)
            snapshot.devices = store.devices.values.map { $0.snapshot(store.world) }
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
                state: notification.state, settledAt: notification.settledAt, decision: notification.item.decision,
                extension: notification.extensionRecord)
        }
        return snapshot
    }

    /// Puts a snapshot in the place of everything the simulator holds; loading it twice changes nothing more.
    ///
    /// What is more than the limits allow is dropped and counted. Sequence numbers go on from the greater of both, so cursors stay good; waits go on, too.
    ///
    /// - Throws: `SnapshotError`; nothing has changed then.
    public func load(_ snapshot: SimulatorSnapshot, at now: Instant) throws(SnapshotError) {
        let woken = try store.withLock { store throws(SnapshotError) in
            try store.load(snapshot, at: now)
        }
        for waiter in woken { waiter.resume() }
        clockChanged()
        extensionSignal.continuation.yield()
    }
}

extension Device {
    fileprivate func snapshot(_ world: World) -> SimulatorSnapshot.DeviceSnapshot {
        SimulatorSnapshot.DeviceSnapshot(
            name: name, createdAt: createdAt, registrations: registrations.map(\.saved), counts: state.counts,
            lastDropped: state.lastDropped,
            conditions: state.conditions === world.plainConditions ? nil : state.conditions.value,
            apps: state.apps.isEmpty ? nil : state.apps.map(\.saved), eventCount: state.lastEvent,
            nextFocusChange: state.nextFocusChange == .never ? nil : state.nextFocusChange,
            nextSummaryAt: state.nextSummaryAt)
    }
}

extension AppState {
    var saved: SimulatorSnapshot.AppSnapshot {
        SimulatorSnapshot.AppSnapshot(
            bundleID: bundleID, settings: settings?.value, badge: badge,
            isTimeSensitiveIntroduced: isTimeSensitiveIntroduced, isProvisionalIntroduced: isProvisionalIntroduced,
            isTerminated: isTerminated, prompt: prompt, timeSensitiveReviewedAt: self.timeSensitiveReviewedAt,
            backgroundWakes: self.backgroundWakes.isEmpty ? nil : self.backgroundWakes,
            complicationDay: self.complications?.day, complicationCount: self.complications?.count,
            ephemeralUntil: self.ephemeralUntil, lastCaller: self.lastCall?.handle, lastCallAt: self.lastCall?.at)
    }

    init(_ saved: SimulatorSnapshot.AppSnapshot) {
        self.init(bundleID: saved.bundleID)
        settings = saved.settings.map { Shared($0) }
        badge = saved.badge
        isTimeSensitiveIntroduced = saved.isTimeSensitiveIntroduced
        isProvisionalIntroduced = saved.isProvisionalIntroduced
        isTerminated = saved.isTerminated
        prompt = saved.prompt
        self.timeSensitiveReviewedAt = saved.timeSensitiveReviewedAt
        self.backgroundWakes = saved.backgroundWakes ?? []
        if let day = saved.complicationDay, let count = saved.complicationCount {
            self.complications = Complications(day: day, count: count)
        }
        self.ephemeralUntil = saved.ephemeralUntil
        if let handle = saved.lastCaller, let at = saved.lastCallAt { self.lastCall = Call(handle: handle, at: at) }
    }
}

extension InboxEntry {
    fileprivate var decision: SimulatorSnapshot.DecisionSnapshot? {
        timing.map { timing in
            SimulatorSnapshot.DecisionSnapshot(
                timing: timing.name, level: level, presentation: presentation.rawValue, places: places.rawValue)
        }
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
    /// Puts a snapshot in the place of everything.
    ///
    /// - Returns: The waits that slept.
    mutating func load(_ snapshot: SimulatorSnapshot, at now: Instant) throws(SnapshotError) -> [Waiter] {
        try snapshot.checkNumbers()
        let loaded = try Store(snapshot, limits: limits, like: world, at: now)
        record(.loaded(snapshot, at: now))
        return replace(with: loaded)
    }

    /// Goes on from another state; who waits, what is to be written and what is noted stay.
    ///
    /// - Returns: The waits that slept.
    mutating func replace(with other: Store) -> [Waiter] {
        var other = other
        other.changeCount = changeCount + 1
        other.lastSequence = max(other.lastSequence, lastSequence)
        other.isFinished = isFinished
        other.lastWaiter = lastWaiter
        other.queue = queue
        other.notes = notes
        let woken = Array(waiters.values)
        for device in devices.values { device.delete() }
        self = other
        return woken
    }

    fileprivate init(
        _ snapshot: SimulatorSnapshot, limits: InboxLimits, like world: World, at now: Instant
    ) throws(SnapshotError) {
        self.init(
            limits: limits,
            world: World(assumptions: world.assumptions, conditions: world.plainConditions.value))
        for app in snapshot.apps { self.world.put(app) }
        counts = snapshot.counts
        lastDropped = snapshot.lastDropped
        for device in snapshot.devices { try add(device, at: now) }
        for notification in snapshot.notifications { try add(notification) }
        lastSequence = max(lastSequence, snapshot.lastSequence)
    }

    fileprivate mutating func add(_ saved: SimulatorSnapshot.DeviceSnapshot, at now: Instant) throws(SnapshotError) {
        guard devices[saved.name] == nil else { throw .duplicate(saved.name) }
        let conditions = saved.conditions.map(world.share) ?? world.plainConditions
        let device = Device(name: saved.name, createdAt: saved.createdAt, conditions: conditions)
        device.state.restore(saved, apps: (saved.apps ?? []).map { AppState($0) }, at: now, world.assumptions)
        if device.state.nextDue < device.queuedDue { dues.insert(device) }
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
        guard saved.decision.map({ Timing(name: $0.timing) != nil }) ?? true else {
            throw .badNotification(sequence: saved.sequence)
        }
        lastSequence = saved.sequence
        log.append(LogEntry(push: push, registration: registration, sequence: saved.sequence))
        let device = registration.device
        let digest = PayloadDigest(push.payload.span.bytes)
        let arrival = Arrival(push, for: registration, sequence: saved.sequence, digest)
        device.state.restore(saved, arrival, registration.circumstances(in: world), world.assumptions)
        if device.state.nextDue < device.queuedDue { dues.insert(device) }
        takeExtensionTasks(of: device)
        makeRoom(on: device)
    }
}

extension Timing {
    fileprivate init?(name: String) {
        guard let timing = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = timing
    }
}

extension DeviceState {
    /// Puts back what was saved about the device itself.
    fileprivate mutating func restore(
        _ saved: SimulatorSnapshot.DeviceSnapshot, apps: [AppState], at now: Instant, _ assumptions: Assumptions
    ) {
        self.apps = apps
        counts = saved.counts
        lastDropped = saved.lastDropped
        lastEvent = saved.eventCount ?? 0
        lastLostDelivery = lastEvent
        nextFocusChange = saved.nextFocusChange ?? timetable?.nextChange(after: now)?.at ?? .never
        nextSummaryAt = saved.nextSummaryAt
        nextDue = due(after: Instant(milliseconds: .min), assumptions)
    }

    /// Puts a notification back as it was saved; what it did then is not done again.
    fileprivate mutating func restore(
        _ saved: SimulatorSnapshot.NotificationSnapshot, _ arrival: Arrival, _ circumstances: Circumstances,
        _ assumptions: Assumptions
    ) {
        var item = InboxEntry(
            sequence: saved.sequence, circumstances: circumstances, receivedEvent: 0, kind: arrival.kind)
        item.state = saved.state
        item.setSettled(at: saved.settledAt, arrival.push)
        item.setCategory(saved.extension?.content?.categoryIdentifier ?? arrival.traits.categoryIdentifier)
        if let decision = saved.decision {
            item.timing = Timing(name: decision.timing)
            item.level = decision.level
            item.presentation = Presentation(rawValue: decision.presentation)
            item.places = Places(rawValue: decision.places)
        }
        inbox.append(item)
        if let record = saved.extension {
            extended[saved.sequence] = ExtendedPush(circumstances: circumstances, record: Shared(record))
        }
        // Its service extension was asked when this was saved, and is asked again.
        if case .accepted = saved.state { extend(arrival, circumstances, at: saved.settledAt) }
        if item.places.isPresent, let identifier = arrival.push.collapseID {
            collapsed[CollapseKey(bundleID: arrival.bundleID, identifier: identifier)] = saved.sequence
        }
        if item.places.contains(.nextSummary) {
            let time = nextSummaryAt
            putOff(arrival, at: saved.settledAt)
            nextSummaryAt = time ?? nextSummaryAt
        }
        if case .stored = saved.state {
            held.append(HeldPush(arrival: arrival, expiresAt: arrival.expiresAt(assumptions)))
        }
        nextDue = due(after: Instant(milliseconds: .min), assumptions)
    }
}
