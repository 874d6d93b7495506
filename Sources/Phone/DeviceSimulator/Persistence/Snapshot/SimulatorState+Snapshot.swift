internal import APNs
internal import DeviceModel
internal import LiveModel
internal import Synchronization
internal import Time

extension DeviceSimulator {
    /// Replaces the whole state except metadata and waits.
    ///
    /// Evicts and counts notifications that exceed the limits.
    /// Sequence numbers continue from the greater of both, so cursors stay valid.
    package func load(_ snapshot: SimulatorSnapshot) throws(SnapshotError) {
        try snapshot.checkNumbers()
        while true {
            let (header, isTaped) = store.withLock { ($0.header(of: snapshot), $0.tape != nil) }
            // Building takes long, so do it outside the lock.
            var loaded = DetachedStore(try SimulatorState(header, plainConditions, deriveToken)) as Optional
            let byteCount = isTaped ? SimulatorChange.loaded(snapshot).recordedJSON.count : 0
            let replaced = store.withLock { store -> ReplacedStore? in
                guard store.limits == header.limits, store.catalog.assumptions == header.assumptions,
                    let loaded = loaded.take()?.store
                else { return nil }
                store.tape?.loadedByteCount = byteCount
                return store.install(loaded, snapshot)
            }
            if let replaced { return finish(replaced) }
            // Another request changed the limits or assumptions meanwhile.
            loaded?.store.abandon()
        }
    }

    /// Call this outside the lock.
    func finish(_ replaced: consuming ReplacedStore) {
        wake(replaced.wakeUps)
        // Under the lock, as a checkpoint may still collect these devices, and in parts, as they may be many.
        var rest = replaced.former.devices.values.makeIterator()
        var isDone = false
        while !isDone {
            isDone = store.withLock { _ in
                let end = ContinuousClock.now + Self.stepDuration
                while let device = rest.next() {
                    device.delete()
                    if ContinuousClock.now >= end { return false }
                }
                return true
            }
        }
    }
}

/// A state that no other thread has. `@unchecked Sendable`: its maker transfers it and retains nothing.
struct DetachedStore: @unchecked Sendable {
    let store: SimulatorState

    init(_ store: consuming SimulatorState) { self.store = store }
}

/// What a new state replaced, to be released outside the lock.
/// `@unchecked Sendable`: only `finish(_:)` has it, which changes the devices under the lock.
struct ReplacedStore: @unchecked Sendable {
    let wakeUps: WakeUps
    let former: SimulatorState
}

extension SimulatorState {
    fileprivate func header(of snapshot: SimulatorSnapshot) -> CheckpointHeader {
        CheckpointHeader(
            state: snapshot, limits: limits, assumptions: catalog.assumptions, metadata: metadata)
    }

    /// - Returns: What to abandon.
    mutating func load(_ snapshot: SimulatorSnapshot) throws(SnapshotError) -> ReplacedStore {
        try snapshot.checkNumbers()
        return install(
            try SimulatorState(header(of: snapshot), catalog.plainConditions.value, deriveToken), snapshot)
    }

    fileprivate mutating func install(_ loaded: consuming SimulatorState, _ snapshot: SimulatorSnapshot)
        -> ReplacedStore
    {
        loaded.metadata = metadata
        record(.loaded(snapshot))
        generation += 1
        if unread != nil { unread = UnreadEvents(generation: generation) }
        return replace(with: loaded)
    }

    /// Replaces the state and retains the queued inputs.
    mutating func replace(with other: consuming SimulatorState) -> ReplacedStore {
        swap(&self, &other)
        lastSequence = max(lastSequence, other.lastSequence)
        generation = max(generation, other.generation)
        // Shared copies would be copied whole at their next change.
        (queue, tape, unread, changes) = (
            other.queue.take(), other.tape.take(), other.unread.take(), other.changes.take()
        )
        (dueEvents, other.dueEvents) = (other.dueEvents, [])
        firedCount = other.firedCount
        let wakeUps = WakeUps(
            waiters: other.waiters.take(), isDueEarlier: true, hasExtensionTasks: true, hasBroadcasts: true)
        waiters = other.waiters
        waiters.changeCount += 1
        changes?.replaceState()
        other.checkpoints.isReplaced = true
        return ReplacedStore(wakeUps: wakeUps, former: other)
    }

    fileprivate init(
        _ header: CheckpointHeader, _ plainConditions: DeviceConditions,
        _ deriveToken: @escaping @Sendable (TokenRequest) -> DeviceToken
    ) throws(SnapshotError) {
        let restoration = try Restoration(header, plainConditions: plainConditions, deriveToken: deriveToken)
        let snapshot = header.state
        for device in snapshot.devices { try restoration.add(.device(device)) }
        for context in snapshot.circumstances { try restoration.add(.context(context)) }
        for notification in snapshot.notifications { try restoration.add(.notification(notification)) }
        self = try restoration.finish()
    }

    /// - Throws: `RecordDamage` or `SnapshotError`.
    init(
        parts: [[UInt8]], plainConditions conditions: DeviceConditions,
        deriveToken: @escaping @Sendable (TokenRequest) -> DeviceToken
    ) throws {
        var reader = try CheckpointReader(parts)
        let restoration = try Restoration(reader.header, plainConditions: conditions, deriveToken: deriveToken)
        while let piece = try reader.next() { try restoration.add(piece) }
        self = try restoration.finish()
    }
}

private final class Restoration {
    private var store: SimulatorState
    private var isFinished = false
    private let lastSequence: UInt64
    private var contexts: [PolicyContext] = []
    /// Devices with pending pushes, whose notifications come after the devices.
    private var waiting: [(device: Device, details: DeviceDetails)] = []
    /// The broadcasts that devices may have stored.
    private let messages: [UInt64: Broadcast]
    private var subscribers: [Device] = []

    init(
        _ header: CheckpointHeader, plainConditions: DeviceConditions,
        deriveToken: @escaping @Sendable (TokenRequest) -> DeviceToken
    ) throws(SnapshotError) {
        let channels = try header.state.channels.map { image throws(SnapshotError) in try ChannelTable(image) }
        var catalog = AppCatalog(
            assumptions: header.assumptions, conditions: plainConditions, channels: channels ?? ChannelTable())
        for app in header.state.apps { catalog.apps[app.bundleID] = app }
        store = SimulatorState(limits: header.limits, catalog: catalog, deriveToken: deriveToken)
        messages = store.channels.messages
        store.counts = header.state.counts
        store.lastDropped = header.state.lastDropped
        store.formerPushes = header.state.formerPushes
        store.metadata = header.metadata
        // The devices of a checkpoint begin another life: it does not say how many were deleted before them.
        store.generation = (header.generation ?? 0) + 1
        store.shares = header.state.shares ?? []
        lastSequence = header.state.lastSequence
    }

    /// An unfinished store is abandoned: its devices and registrations refer to each other.
    deinit {
        if !isFinished { store.abandon() }
    }

    func add(_ piece: SnapshotPiece) throws(SnapshotError) {
        switch piece {
        case .device(let device): try add(device)
        case .context(let context): contexts.append(context.context)
        case .notification(let notification): try add(notification)
        }
    }

    func finish() throws(SnapshotError) -> SimulatorState {
        store.lastSequence = max(store.lastSequence, lastSequence)
        for (device, details) in waiting {
            for held in details.held {
                let arrival = try arrival(held.notification, on: device)
                device.state.stored.append(
                    StoredPush(arrival: arrival, expiresAt: Instant(milliseconds: held.expiresAt)))
            }
            for extending in details.extending {
                // The extension's request needs the context.
                guard let context = device.state.extended[extending.notification]?.context else {
                    throw .badDevice(device.name)
                }
                let arrival = try arrival(extending.notification, on: device)
                let since = Instant(milliseconds: extending.since)
                device.state.extending.append(ExtensionTask(arrival: arrival, context: context, since: since))
            }
        }
        store.channels.restoreSubscribers(subscribers)
        var people: [String: [Device]] = [:]
        for device in store.devices.values {
            if let person = device.state.conditions.value.person { people[person, default: []].append(device) }
            if device.state.nextDue < device.queuedDue { store.dues.insert(device) }
        }
        store.people = DeviceLists(people)
        store.evictExcess()
        // Earlier requests to extensions belong to another state.
        store.requestExtensionsAgain()
        isFinished = true
        return store
    }

    private func arrival(_ sequence: UInt64, on device: Device) throws(SnapshotError) -> Arrival {
        guard let entry = store.log[sequence], let push = entry.push, let registration = entry.registration else {
            throw .badDevice(device.name)
        }
        return Arrival(push, for: registration, sequence: sequence, push.digest)
    }

    private func add(_ saved: SimulatorSnapshot.DeviceSnapshot) throws(SnapshotError) {
        guard store.devices[saved.name] == nil else { throw .duplicate(saved.name) }
        let conditions = saved.conditions.map { store.catalog.share($0) } ?? store.catalog.plainConditions
        let device = Device(
            name: saved.name, createdAt: saved.createdAt, conditions: conditions, store.checkpoints)
        device.state.restore(saved)
        if let saved = saved.details?.value.subscriptions {
            device.state.subscriptions = saved.map { subscription in
                ChannelSubscription(
                    channel: store.channelKey(like: subscription.channel), since: subscription.since,
                    stored: subscription.stored.flatMap { messages[$0] })
            }
            subscribers.append(device)
        }
        if let details = saved.details?.value, !details.held.isEmpty || !details.extending.isEmpty {
            waiting.append((device, details))
        }
        store.devices.insert(device)
        for registration in saved.registrations {
            let token = registration.token
            guard store.tokens[token] == nil else { throw .duplicate(token.hex) }
            let request = TokenRequest(
                device: saved.name, topic: registration.topic, environment: registration.environment,
                kind: registration.kind, subject: registration.subject, generation: registration.generation)
            let entry = RegistrationEntry(request, on: device, token: token, at: registration.registeredAt)
            entry.status = registration.status
            entry.issuedEvent = registration.issuedEvent ?? 0
            device.registrations.append(entry)
            store.tokens[token] = entry
        }
    }

    private func add(_ saved: SimulatorSnapshot.NotificationSnapshot) throws(SnapshotError) {
        guard saved.sequence > store.lastSequence, let registration = registration(of: saved),
            let push = saved.push.push(token: saved.token), push.isLocal == (saved.token == nil)
        else { throw .badNotification(sequence: saved.sequence) }
        store.lastSequence = saved.sequence
        store.log.append(LogEntry(push: push, registration: registration, sequence: saved.sequence))
        let device = registration.device
        let kind = Arrival.kind(of: push, for: registration, push.digest.traits)
        let context = try context(saved.circumstances, of: saved, registration)
        device.state.inbox.append(InboxEntry(saved, push, kind, context))
        if let place = saved.extensionCircumstances {
            device.state.extended[saved.sequence] = ExtendedPush(
                context: try self.context(place, of: saved, registration), record: saved.extension)
        }
    }

    private func registration(of saved: SimulatorSnapshot.NotificationSnapshot) -> RegistrationEntry? {
        if let token = saved.token { return store.tokens[token] }
        guard let device = saved.device, contexts.indices.contains(saved.circumstances) else { return nil }
        return store.devices[device]?.localEntry(of: contexts[saved.circumstances].app.bundleID)
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
    /// Restores everything except conditions, notifications and pending pushes.
    fileprivate mutating func restore(_ saved: SimulatorSnapshot.DeviceSnapshot) {
        apps = saved.apps ?? []
        if let details = saved.details?.value {
            for entry in details.collapsed {
                collapsed[CollapseKey(bundleID: entry.app, identifier: entry.identifier)] = entry.notification
            }
            for entry in details.shownLater ?? [] {
                shownLater[entry.notification] = Instant(milliseconds: entry.at)
            }
            eventLog = EventLog(details.events, lastDropped: details.lastDroppedEvent)
            live = details.live ?? live
            siri = details.siri ?? siri
            forgottenTokenCount = details.forgottenTokenCount ?? 0
            restore(uninstalled: details.uninstalled ?? [])
            clockReturns = details.clockReturns ?? []
        }
        counts = saved.counts
        lastDropped = saved.lastDropped
        lastEvent = saved.eventCount
        lastEventAt = saved.lastEventAt ?? lastEventAt
        lastLostDelivery = saved.lastLostEvent
        nextDue = saved.nextDue ?? .never
        focus = ScheduledFocus(nextChange: saved.nextFocusChange ?? .never)
        summary = PendingSummary(saved.details?.value.nextSummary ?? [], dueAt: saved.nextSummaryAt)
    }
}

extension InboxEntry {
    fileprivate init(
        _ saved: SimulatorSnapshot.NotificationSnapshot, _ push: Push, _ kind: PushType, _ context: PolicyContext
    ) {
        self.init(sequence: saved.sequence, context: context, receivedEvent: saved.receivedEvent, kind: kind)
        deliveryEvent = saved.deliveryEvent
        state = saved.state
        setSettledAt(saved.settledAt, push)
        if let category = saved.category { setCategory(category) }
        (timing, level, presentation, places) = (saved.timing, saved.level, saved.presentation, saved.places)
    }
}
