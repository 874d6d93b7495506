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
        let isTaped = store.withLock { $0.tape != nil }
        let byteCount = isTaped ? SimulatorChange.loaded(snapshot).recordedJSON.count : 0
        wake(
            try store.withLock { store throws(SnapshotError) in
                store.tape?.loadedByteCount = byteCount
                return try store.load(snapshot)
            })
    }
}

extension SimulatorState {
    mutating func load(_ snapshot: SimulatorSnapshot) throws(SnapshotError) -> WakeUps {
        try snapshot.checkNumbers()
        let loaded = try SimulatorState(snapshot, like: self)
        record(.loaded(snapshot))
        generation += 1
        if unread != nil { unread = UnreadEvents(generation: generation) }
        return replace(with: loaded)
    }

    /// Replaces the state and retains the queued inputs.
    mutating func replace(with other: SimulatorState) -> WakeUps {
        var other = other
        other.lastSequence = max(other.lastSequence, lastSequence)
        other.generation = generation
        other.queue = queue
        other.tape = tape
        other.waiters = waiters
        other.waiters.changeCount += 1
        other.unread = unread
        other.dueEvents = dueEvents
        other.firedCount = firedCount
        let wakeUps = WakeUps(
            waiters: other.waiters.take(), isDueEarlier: true, hasExtensionTasks: true, hasBroadcasts: true)
        for device in devices.values { device.delete() }
        other.changes = changes
        other.changes?.replaceState()
        self = other
        return wakeUps
    }

    private init(_ snapshot: SimulatorSnapshot, like other: SimulatorState) throws(SnapshotError) {
        let header = CheckpointHeader(
            state: snapshot, limits: other.limits, assumptions: other.catalog.assumptions, metadata: other.metadata)
        var restoration = try Restoration(
            header, plainConditions: other.catalog.plainConditions.value, deriveToken: other.deriveToken)
        do throws(SnapshotError) {
            for device in snapshot.devices { try restoration.add(.device(device)) }
            for context in snapshot.circumstances { try restoration.add(.context(context)) }
            for notification in snapshot.notifications { try restoration.add(.notification(notification)) }
            self = try restoration.finish()
        } catch {
            restoration.abandon()
            throw error
        }
    }

    init(
        parts: [[UInt8]], plainConditions conditions: DeviceConditions,
        deriveToken: @escaping @Sendable (TokenRequest) -> DeviceToken
    ) throws(RecordDamage) {
        var reader = try CheckpointReader(parts)
        var restoration: Restoration
        do {
            restoration = try Restoration(reader.header, plainConditions: conditions, deriveToken: deriveToken)
        } catch {
            throw RecordDamage()
        }
        do {
            while let piece = try reader.next() { try restoration.add(piece) }
            self = try restoration.finish()
        } catch {
            restoration.abandon()
            throw RecordDamage()
        }
    }
}

private struct Restoration {
    private var store: SimulatorState
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
        store.shares = header.state.shares ?? []
        lastSequence = header.state.lastSequence
    }

    mutating func add(_ piece: SnapshotPiece) throws(SnapshotError) {
        switch piece {
        case .device(let device): try add(device)
        case .context(let context): contexts.append(context.context)
        case .notification(let notification): try add(notification)
        }
    }

    mutating func finish() throws(SnapshotError) -> SimulatorState {
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
        store.people = PersonIndex(store.devices.values)
        for device in store.devices.values where device.state.nextDue < device.queuedDue { store.dues.insert(device) }
        store.evictExcess()
        // Earlier requests to extensions belong to another state.
        store.requestExtensionsAgain()
        return store
    }

    func abandon() { store.abandon() }

    private func arrival(_ sequence: UInt64, on device: Device) throws(SnapshotError) -> Arrival {
        guard let entry = store.log[sequence], let push = entry.push, let registration = entry.registration else {
            throw .badDevice(device.name)
        }
        return Arrival(push, for: registration, sequence: sequence, push.digest)
    }

    private mutating func add(_ saved: SimulatorSnapshot.DeviceSnapshot) throws(SnapshotError) {
        guard store.devices[saved.name] == nil else { throw .duplicate(saved.name) }
        let conditions = saved.conditions.map { store.catalog.share($0) } ?? store.catalog.plainConditions
        let device = Device(
            name: saved.name, createdAt: saved.createdAt, conditions: conditions, store.checkpoints)
        device.state.restore(saved)
        if let saved = saved.details?.subscriptions {
            device.state.subscriptions = saved.map { subscription in
                ChannelSubscription(
                    channel: store.channelKey(like: subscription.channel), since: subscription.since,
                    stored: subscription.stored.flatMap { messages[$0] })
            }
            subscribers.append(device)
        }
        if let details = saved.details, !details.held.isEmpty || !details.extending.isEmpty {
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

    private mutating func add(_ saved: SimulatorSnapshot.NotificationSnapshot) throws(SnapshotError) {
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
                context: try self.context(place, of: saved, registration), record: saved.extension.map { Shared($0) })
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
        if let details = saved.details {
            nextSummary = details.nextSummary
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
        }
        counts = saved.counts
        lastDropped = saved.lastDropped
        lastEvent = saved.eventCount
        lastEventAt = saved.lastEventAt ?? lastEventAt
        lastLostDelivery = saved.lastLostEvent
        nextDue = saved.nextDue ?? .never
        nextFocusChange = saved.nextFocusChange ?? .never
        nextSummaryAt = saved.nextSummaryAt
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
