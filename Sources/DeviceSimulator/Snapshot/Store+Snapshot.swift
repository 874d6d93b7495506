package import APNs
internal import DeviceModel
internal import Synchronization

extension DeviceSimulator {
    /// Replaces everything the simulator holds by a snapshot; loading it twice changes nothing more.
    ///
    /// What exceeds the limits is dropped and counted. Sequence numbers go on from the greater of both, so cursors stay
    /// valid; waits go on, too.
    ///
    /// - Throws: `SnapshotError`; nothing has changed then.
    package func load(_ snapshot: SimulatorSnapshot, at now: Instant) throws(SnapshotError) {
        let woken = try store.withLock { store throws(SnapshotError) in
            try store.load(snapshot, at: now)
        }
        for waiter in woken { waiter.resume() }
        clockChanged()
        extensionSignal.continuation.yield()
    }
}

extension Store {
    /// Replaces everything by a snapshot.
    ///
    /// - Returns: The waits that slept.
    mutating func load(_ snapshot: SimulatorSnapshot, at now: Instant) throws(SnapshotError) -> [Waiter] {
        try snapshot.checkNumbers()
        let loaded = try Store(snapshot, limits: limits, like: catalog, at: now)
        record(.loaded(snapshot, at: now))
        generation += 1
        return replace(with: loaded)
    }

    /// Replaces the state; the queued inputs stay, and without other metadata the present ones.
    ///
    /// - Returns: The waits that slept.
    mutating func replace(with other: Store, metadata: [String: String]? = nil) -> [Waiter] {
        var other = other
        other.changeCount = changeCount + 1
        other.lastSequence = max(other.lastSequence, lastSequence)
        other.isFinished = isFinished
        other.lastWaiter = lastWaiter
        other.generation = generation
        other.queue = queue
        other.metadata = metadata ?? self.metadata
        let woken = Array(waiters.values)
        for device in devices.values { device.delete() }
        self = other
        return woken
    }

    private init(
        _ snapshot: SimulatorSnapshot, limits: InboxLimits, like catalog: AppCatalog, at now: Instant
    ) throws(SnapshotError) {
        let header = CheckpointHeader(
            apps: snapshot.apps, limits: limits, assumptions: catalog.assumptions, counts: snapshot.counts,
            lastSequence: snapshot.lastSequence, lastDropped: snapshot.lastDropped, metadata: [:])
        var restoration = Restoration(header, plainConditions: catalog.plainConditions.value, at: now)
        do throws(SnapshotError) {
            for device in snapshot.devices { try restoration.add(.device(device)) }
            for context in snapshot.circumstances ?? [] { try restoration.add(.context(context)) }
            for notification in snapshot.notifications { try restoration.add(.notification(notification)) }
            self = try restoration.finish()
        } catch {
            restoration.abandon()
            throw error
        }
    }

    /// The store whose image became a checkpoint's parts.
    ///
    /// - Parameter conditions: those of a new device.
    init(parts: [[UInt8]], plainConditions conditions: DeviceConditions) throws(RecordDamage) {
        var reader = try CheckpointReader(parts)
        var restoration = Restoration(reader.header, plainConditions: conditions, at: Instant(milliseconds: 0))
        do {
            while let piece = try reader.next() { try restoration.add(piece) }
            self = try restoration.finish()
        } catch {
            restoration.abandon()
            throw RecordDamage()
        }
    }
}

/// Builds a store from the pieces of a snapshot, whichever build wrote it.
private struct Restoration {
    private var store: Store
    private let header: CheckpointHeader
    private let now: Instant
    private var contexts: [PolicyContext] = []
    /// Devices with waiting pushes: the pushes come later.
    private var waiting: [(device: Device, details: DeviceDetails)] = []

    init(_ header: CheckpointHeader, plainConditions: DeviceConditions, at now: Instant) {
        let catalog = AppCatalog(assumptions: header.assumptions, conditions: plainConditions)
        for app in header.apps { catalog.put(app) }
        store = Store(limits: header.limits, catalog: catalog)
        store.counts = header.counts
        store.lastDropped = header.lastDropped
        store.metadata = header.metadata
        self.header = header
        self.now = now
    }

    mutating func add(_ piece: SnapshotPiece) throws(SnapshotError) {
        switch piece {
        case .device(let device): try add(device)
        case .context(let context): contexts.append(context.context)
        case .notification(let notification): try add(notification)
        }
    }

    /// Completes what needs all pieces.
    mutating func finish() throws(SnapshotError) -> Store {
        store.lastSequence = max(store.lastSequence, header.lastSequence)
        for (device, details) in waiting {
            for held in details.held {
                let arrival = try arrival(held.notification, on: device)
                device.state.held.append(
                    StoredPush(arrival: arrival, expiresAt: Instant(milliseconds: held.expiresAt)))
            }
            for extending in details.extending {
                // Without its context the extension could never be asked.
                guard device.state.extended[extending.notification] != nil else { throw .badDevice(device.name) }
                let arrival = try arrival(extending.notification, on: device)
                device.state.extending.append(
                    ExtendingPush(arrival: arrival, since: Instant(milliseconds: extending.since)))
            }
        }
        for device in store.devices.values where device.state.nextDue < device.queuedDue { store.dues.insert(device) }
        store.makeRoom()
        // Whoever was asked when this was saved answers to another state.
        store.askExtensionsAgain()
        return store
    }

    func abandon() { store.abandon() }

    private func arrival(_ sequence: UInt64, on device: Device) throws(SnapshotError) -> Arrival {
        guard let entry = store.log[sequence], let push = entry.push, let registration = entry.registration else {
            throw .badDevice(device.name)
        }
        return Arrival(push, for: registration, sequence: sequence, PayloadDigest(push.payload.span.bytes))
    }

    private mutating func add(_ saved: SimulatorSnapshot.DeviceSnapshot) throws(SnapshotError) {
        guard store.devices[saved.name] == nil else { throw .duplicate(saved.name) }
        let catalog = store.catalog
        let device = Device(
            name: saved.name, createdAt: saved.createdAt, conditions: catalog.plainConditions, in: catalog)
        device.state.restore(saved, at: now, in: catalog)
        if let details = saved.details, !details.held.isEmpty || !details.extending.isEmpty {
            waiting.append((device, details))
        }
        store.devices.insert(device)
        for registration in saved.registrations {
            let token = registration.token
            guard store.tokens[token] == nil else { throw .duplicate(token.hex) }
            let request = TokenRequest(
                device: saved.name, topic: registration.topic, environment: registration.environment,
                kind: registration.kind, generation: registration.generation)
            let entry = RegistrationEntry(request, on: device, token: token, at: registration.registeredAt)
            entry.status = registration.status
            device.registrations.append(entry)
            store.tokens[token] = entry
        }
    }

    private mutating func add(_ saved: SimulatorSnapshot.NotificationSnapshot) throws(SnapshotError) {
        guard
            saved.sequence > store.lastSequence, let registration = store.tokens[saved.token],
            let push = saved.push.push(token: registration.token),
            saved.decision.map({ Timing(rawValue: $0.timing) != nil }) ?? true
        else { throw .badNotification(sequence: saved.sequence) }
        store.lastSequence = saved.sequence
        store.log.append(LogEntry(push: push, registration: registration, sequence: saved.sequence))
        let device = registration.device
        guard let place = saved.circumstances else {
            let digest = PayloadDigest(push.payload.span.bytes)
            let arrival = Arrival(push, for: registration, sequence: saved.sequence, digest)
            let context = registration.context(in: store.catalog)
            return device.state.restore(saved, arrival, context, store.catalog.assumptions)
        }
        let kind = Arrival.kind(of: push, for: registration, PayloadDigest(push.payload.span.bytes).traits)
        let context = try context(place, of: saved, registration)
        device.state.inbox.append(InboxEntry(saved, push, kind, context))
        if let place = saved.extensionCircumstances {
            device.state.extended[saved.sequence] = ExtendedPush(
                context: try self.context(place, of: saved, registration), record: saved.extension.map { Shared($0) })
        }
    }

    private func context(
        _ place: Int, of saved: SimulatorSnapshot.NotificationSnapshot, _ registration: RegistrationEntry
    ) throws(SnapshotError) -> PolicyContext {
        guard contexts.indices.contains(place), contexts[place].app.bundleID == registration.bundleID else {
            throw .badNotification(sequence: saved.sequence)
        }
        return contexts[place]
    }
}

extension DeviceState {
    /// Restores what was saved about the device itself.
    fileprivate mutating func restore(
        _ saved: SimulatorSnapshot.DeviceSnapshot, at now: Instant, in catalog: AppCatalog
    ) {
        apps = saved.apps ?? []
        if let details = saved.details {
            nextSummary = details.nextSummary
            for entry in details.collapsed {
                collapsed[CollapseKey(bundleID: entry.app, identifier: entry.identifier)] = entry.notification
            }
            eventLog = EventLog(details.diary, lastDropped: details.diaryDropped)
        }
        if let conditions = saved.conditions { self.conditions = catalog.share(conditions) }
        counts = saved.counts
        lastDropped = saved.lastDropped
        lastEvent = saved.eventCount ?? 0
        nextSummaryAt = saved.nextSummaryAt
        nextFocusChange = saved.nextFocusChange ?? .never
        if let lost = saved.lastLostEvent {
            lastLostDelivery = lost
            lastEventAt = saved.lastEventAt ?? lastEventAt
            nextDue = saved.nextDue ?? .never
        } else {
            // Documents of earlier builds hold no events.
            lastLostDelivery = lastEvent
            nextFocusChange = saved.nextFocusChange ?? timetable?.nextChange(after: now)?.at ?? .never
            nextDue = due(after: Instant(milliseconds: .min), catalog.assumptions)
        }
    }

    /// Restores a notification that an earlier build saved: without its events, in the context of now.
    fileprivate mutating func restore(
        _ saved: SimulatorSnapshot.NotificationSnapshot, _ arrival: Arrival, _ context: PolicyContext,
        _ assumptions: Assumptions
    ) {
        var item = InboxEntry(saved, arrival.push, arrival.kind, context)
        item.setCategory(saved.extension?.content?.categoryIdentifier ?? arrival.traits.categoryIdentifier)
        inbox.append(item)
        if saved.extension != nil || item.state == .accepted {
            extended[saved.sequence] = ExtendedPush(context: context, record: saved.extension.map { Shared($0) })
        }
        if item.state == .accepted { extending.append(ExtendingPush(arrival: arrival, since: saved.settledAt)) }
        if item.places.isPresent, let identifier = arrival.push.collapseID {
            collapsed[CollapseKey(bundleID: arrival.bundleID, identifier: identifier)] = saved.sequence
        }
        if item.places.contains(.nextSummary) {
            let time = nextSummaryAt
            putOff(arrival, at: saved.settledAt)
            nextSummaryAt = time ?? nextSummaryAt
        }
        if case .stored = saved.state {
            held.append(StoredPush(arrival: arrival, expiresAt: arrival.expiresAt(assumptions)))
        }
        nextDue = due(after: Instant(milliseconds: .min), assumptions)
    }
}

extension InboxEntry {
    /// A notification as it was saved; nothing is delivered again.
    fileprivate init(
        _ saved: SimulatorSnapshot.NotificationSnapshot, _ push: Push, _ kind: PushType, _ context: PolicyContext
    ) {
        self.init(sequence: saved.sequence, context: context, receivedEvent: saved.receivedEvent ?? 0, kind: kind)
        deliveryEvent = saved.deliveryEvent ?? 0
        state = saved.state
        setSettledAt(saved.settledAt, push)
        if let category = saved.category { setCategory(category) }
        if let decision = saved.decision {
            timing = Timing(rawValue: decision.timing)
            level = decision.level
            presentation = Presentation(rawValue: decision.presentation)
        }
        places = Places(rawValue: saved.decision?.places ?? saved.places ?? 0)
    }
}
