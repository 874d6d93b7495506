internal import APNs
internal import DeviceModel

/// A state that a snapshot describes, whatever build wrote it.
extension Store {
    init(
        _ snapshot: SimulatorSnapshot, limits: InboxLimits, like world: AppCatalog, at now: Instant
    ) throws(SnapshotError) {
        self.init(
            limits: limits,
            world: AppCatalog(assumptions: world.assumptions, conditions: world.plainConditions.value))
        do throws(SnapshotError) {
            try restore(snapshot, at: now)
        } catch {
            abandon()
            throw error
        }
    }

    private mutating func restore(_ snapshot: SimulatorSnapshot, at now: Instant) throws(SnapshotError) {
        for app in snapshot.apps { self.world.put(app) }
        counts = snapshot.counts
        lastDropped = snapshot.lastDropped
        for device in snapshot.devices { try add(device, at: now) }
        let circumstances = (snapshot.circumstances ?? []).map(\.circumstances)
        for notification in snapshot.notifications { try add(notification, circumstances) }
        lastSequence = max(lastSequence, snapshot.lastSequence)
        for device in snapshot.devices { try restoreWaiting(of: device) }
        for device in devices.values where device.state.nextDue < device.queuedDue { dues.insert(device) }
        makeRoom()
        // Whoever was asked when this was saved answers to another state.
        askExtensionsAgain()
    }

    private mutating func add(_ saved: SimulatorSnapshot.DeviceSnapshot, at now: Instant) throws(SnapshotError) {
        guard devices[saved.name] == nil else { throw .duplicate(saved.name) }
        let device = Device(name: saved.name, createdAt: saved.createdAt, conditions: world.plainConditions, in: world)
        do throws(RecordDamage) {
            try device.state.restore(saved, at: now, in: world)
        } catch {
            throw .badDevice(saved.name)
        }
        devices.insert(device)
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

    private mutating func add(
        _ saved: SimulatorSnapshot.NotificationSnapshot, _ known: [PolicyContext]
    ) throws(SnapshotError) {
        guard
            saved.sequence > lastSequence, let registration = tokens[saved.token],
            let push = saved.push.push(token: registration.token),
            saved.decision.map({ Timing(name: $0.timing) != nil }) ?? true
        else { throw .badNotification(sequence: saved.sequence) }
        lastSequence = saved.sequence
        log.append(LogEntry(push: push, registration: registration, sequence: saved.sequence))
        let digest = PayloadDigest(push.payload.span.bytes)
        let arrival = Arrival(push, for: registration, sequence: saved.sequence, digest)
        guard let place = saved.circumstances else {
            let circumstances = registration.circumstances(in: world)
            return registration.device.state.restore(saved, arrival, circumstances, world.assumptions)
        }
        func circumstances(_ place: Int) throws(SnapshotError) -> PolicyContext {
            guard known.indices.contains(place), known[place].app.bundleID == registration.bundleID else {
                throw .badNotification(sequence: saved.sequence)
            }
            return known[place]
        }
        registration.device.state.inbox.append(InboxEntry(saved, arrival, try circumstances(place)))
        if let place = saved.extensionCircumstances {
            registration.device.state.extended[saved.sequence] = ExtendedPush(
                circumstances: try circumstances(place), record: saved.extension.map { Shared($0) })
        }
    }

    private func restoreWaiting(of saved: SimulatorSnapshot.DeviceSnapshot) throws(SnapshotError) {
        guard let details = saved.details else { return }
        do throws(RecordDamage) {
            try restoreWaiting(details, of: saved.name)
        } catch {
            throw .badDevice(saved.name)
        }
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
        _ saved: SimulatorSnapshot.DeviceSnapshot, at now: Instant, in world: AppCatalog
    ) throws(RecordDamage) {
        var details = saved.details ?? DeviceDetails()
        details.apps = saved.apps ?? []
        try restore(details, [])
        if let conditions = saved.conditions { self.conditions = world.share(conditions) }
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
            nextDue = due(after: Instant(milliseconds: .min), world.assumptions)
        }
    }

    /// Puts a notification back that an earlier build saved: without its events, in the circumstances of now.
    fileprivate mutating func restore(
        _ saved: SimulatorSnapshot.NotificationSnapshot, _ arrival: Arrival, _ circumstances: PolicyContext,
        _ assumptions: Assumptions
    ) {
        var item = InboxEntry(saved, arrival, circumstances)
        item.setCategory(saved.extension?.content?.categoryIdentifier ?? arrival.traits.categoryIdentifier)
        inbox.append(item)
        if saved.extension != nil || item.state == .accepted {
            extended[saved.sequence] = ExtendedPush(
                circumstances: circumstances, record: saved.extension.map { Shared($0) })
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
    /// A notification as it was saved; what it did then is not done again.
    fileprivate init(
        _ saved: SimulatorSnapshot.NotificationSnapshot, _ arrival: Arrival, _ circumstances: PolicyContext
    ) {
        self.init(
            sequence: saved.sequence, circumstances: circumstances, receivedEvent: saved.receivedEvent ?? 0,
            kind: arrival.kind)
        deliveryEvent = saved.deliveryEvent ?? 0
        state = saved.state
        setSettled(at: saved.settledAt, arrival.push)
        if let category = saved.category { setCategory(category) }
        if let decision = saved.decision {
            timing = Timing(name: decision.timing)
            level = decision.level
            presentation = Presentation(rawValue: decision.presentation)
        }
        places = Places(rawValue: saved.decision?.places ?? saved.places ?? 0)
    }
}
