internal import APNs
internal import DeviceModel
internal import Time

/// The pushes up to a number arrived before the clock went back. With regard to their age, the last of them did so then:
/// their own dates may lie in the future.
struct FormerPushes: Codable {
    let last: UInt64
    let at: Instant
}

/// The simulator's state behind one lock.
struct SimulatorState {
    var limits: InboxLimits { didSet { catalog.retention = limits.retention } }
    var catalog: AppCatalog
    var channels: ChannelTable { catalog.channels }
    let deriveToken: @Sendable (TokenRequest) -> DeviceToken
    /// Every token ever issued.
    var tokens: [DeviceToken: RegistrationEntry] = [:]
    var devices = DeviceTable()
    /// How many devices were deleted in this generation. Not part of the state.
    var deletedCount: UInt32 = 0
    /// Each person's devices.
    var people = DeviceLists()
    /// The notifications of all inboxes, in the order of arrival.
    var log = NotificationLog()
    var counts = DeliveryCounts()
    /// Of the newest notification; never decreases.
    var lastSequence: UInt64 = 0
    /// The newest evicted notification; older cursors have a gap.
    var lastDropped: UInt64 = 0
    /// nil until the clock goes back.
    var formerPushes: FormerPushes?
    var dues = DueQueue()
    /// One for each running `dueEvents(during:)`; not part of the state.
    var dueEvents: [DueEvents] = []
    /// How many local notifications fired; not part of the state.
    var firedCount: UInt64 = 0
    /// Whether a local notification fired since waits were last woken; not part of the state.
    var hasFired = false
    /// Whether a device shared reservations since waits were last woken; not part of the state.
    var hasShared = false
    /// Oldest first.
    var shares: [ReservationShare] = []
    var extensionTasks: [ExtensionTask] = []
    /// Incremented when a state is loaded; not part of the state.
    var generation: UInt64 = 0
    var waiters = Waiters<DeviceSimulator.WaitFilter>()
    /// nil while no reader follows the devices' events.
    var unread: UnreadEvents?
    /// Inputs not yet written; nil without a journal.
    var queue: InputQueue?
    /// Inputs since a recording began; nil without a recording.
    var tape: InputTape?
    /// Metadata persisted for other components, by name.
    var metadata: [String: String] = [:]
    /// Records changes for the event stream; nil while it is idle. Not part of the state.
    var changes: ChangeSet?
    let checkpoints: CheckpointNumber
    /// Taken, but not collected. Not part of the state.
    var openImage: StoreImage?

    init(
        limits: InboxLimits, catalog: AppCatalog, deriveToken: @escaping @Sendable (TokenRequest) -> DeviceToken
    ) {
        self.limits = limits
        self.catalog = catalog
        self.catalog.retention = limits.retention
        checkpoints = CheckpointNumber()
        self.deriveToken = deriveToken
    }

    /// Queues an input for the journal and a recording. A change that does not call this is lost at restart.
    @inline(__always)
    mutating func record(_ input: @autoclosure () -> JournalRecord) {
        if queue != nil || tape != nil { retain(input()) }
    }

    @inline(__always)
    mutating func record(_ change: @autoclosure () -> SimulatorChange) {
        if queue != nil || tape != nil { retain(.change(change())) }
    }

    private mutating func retain(_ input: JournalRecord) {
        tape?.append(input)
        queue?.append(input)
    }

    /// - Parameter freed: receives the push evicted from a full inbox, to be released outside the lock.
    mutating func receive(
        _ push: Push, for registration: RegistrationEntry, _ digest: PayloadDigest, freed: inout Push?
    ) -> UInt64 {
        let device = registration.device
        // Local notifications that fire before the push have smaller numbers.
        if device.state.nextDue <= push.receivedAt, !device.isDeleted { catchUp(device, to: push.receivedAt) }
        lastSequence += 1
        let sequence = lastSequence
        guard !device.isDeleted, !registration.isForgotten else {
            // Time may have made the device forget the token.
            if !device.isDeleted { record(.input(.time, device: device.name, at: push.receivedAt)) }
            record(.astray(sequence: sequence))
            counts.received += 1
            counts.cleared += 1
            return sequence
        }
        record(.push(push, token: registration.token, sequence: sequence))
        if device.state.inbox.count >= limits.perDevice, let oldest = device.state.nextToEvict {
            freed = drop(oldest, of: device)
        } else if log.count >= limits.total, let oldest = log.first, let holder = oldest.registration?.device {
            freed = drop(oldest.sequence, of: holder)
        }
        // More than one, so that the log gets shorter after a pause.
        if limits.retention != nil { _ = evictAged(at: push.receivedAt, limit: 4) }
        log.append(LogEntry(push: push, registration: registration, sequence: sequence))
        let arrival = Arrival(push, for: registration, sequence: sequence, digest)
        let context = registration.context(in: catalog)
        // A push is dated when it was accepted, so another thread may have applied a later input first.
        let now = max(push.receivedAt, device.state.lastEventAt)
        update(device, at: now) { state, now in state.receive(arrival, context, at: now) }
        return sequence
    }

    func moment(of device: Device, at time: Instant) -> Moment {
        Moment(
            time: time, catalog: catalog, tokens: DeviceTokens(device), lastSequence: lastSequence,
            isFollowed: changes != nil)
    }

    mutating func update<Failure: Error>(
        _ device: Device, at time: Instant, _ change: (inout DeviceState, Moment) throws(Failure) -> Void
    ) throws(Failure) {
        let before = device.state.counts
        if unread != nil { unread?.mark(device.name, after: device.state.lastEvent) }
        defer {
            counts.add(device.state.counts, since: before)
            waiters.changeCount += 1
            let requests = device.state.effects.isEmpty ? [] : takeEffects(of: device)
            if device.state.nextDue < device.queuedDue { dues.insert(device) }
            if !requests.isEmpty { apply(requests, of: device) }
        }
        try change(&device.state, moment(of: device, at: time))
    }

    /// Breaks the reference cycles between the devices and registrations of an unused store.
    func abandon() { for device in devices.values { device.delete() } }

    mutating func evictExcess() {
        for device in devices.values { evictExcess(of: device) }
    }

    /// Also evicts what exceeds the limit of all inboxes.
    mutating func evictExcess(of device: Device) {
        while device.state.inbox.count > limits.perDevice, let oldest = device.state.nextToEvict {
            _ = drop(oldest, of: device)
        }
        while log.count > limits.total, let oldest = log.first, let device = oldest.registration?.device {
            _ = drop(oldest.sequence, of: device)
        }
    }

    /// Evicts the oldest notifications beyond the retention, and returns how many.
    mutating func evictAged(at now: Instant, limit: Int) -> Int {
        guard let retention = limits.retention else { return 0 }
        var count = 0
        while count < limit, let oldest = log.first, let push = oldest.push, let holder = oldest.registration?.device,
            arrival(of: oldest, push).advanced(by: retention) < now
        {
            _ = drop(oldest.sequence, of: holder)
            count += 1
        }
        return count
    }

    private func arrival(of entry: LogEntry, _ push: Push) -> Instant {
        guard let former = formerPushes, entry.sequence <= former.last else { return push.receivedAt }
        return min(push.receivedAt, former.at)
    }

    /// Evicts and counts notifications that exceed the limits.
    mutating func set(up limits: InboxLimits, _ assumptions: Assumptions) {
        guard limits != self.limits || assumptions != catalog.assumptions else { return }
        record(.setup(limits: limits, assumptions: assumptions))
        if assumptions != catalog.assumptions { catalog.assumptions = assumptions }
        guard limits != self.limits else { return }
        self.limits = limits
        evictExcess()
    }

    mutating func setMetadata(_ text: String?, for key: String) {
        guard metadata[key] != text else { return }
        // Not on a recording's tape: metadata is not part of the devices' state, and a webhook's has its secret.
        queue?.append(.change(.metadata(key: key, text: text)))
        metadata[key] = text
    }

    private mutating func drop(_ sequence: UInt64, of device: Device) -> Push? {
        let before = device.state.counts
        device.state.drop(sequence)
        counts.add(device.state.counts, since: before)
        counts.dropped += 1
        lastDropped = max(lastDropped, sequence)
        if changes != nil, let entry = log[sequence] { changes?.remove(entry) }
        return log.remove(sequence)
    }

    /// Returns false when the notification is already gone.
    mutating func clear(_ sequence: UInt64) -> Bool {
        guard let entry = log[sequence], let device = entry.registration?.device else { return false }
        changes?.remove(entry)
        device.state.clear(sequence)
        counts.cleared += 1
        return log.remove(sequence) != nil
    }

    // MARK: Devices and registrations

    /// Creates the device if it does not exist.
    mutating func device(named name: String, at now: Instant) throws(SimulatorError) -> Device {
        if let device = devices[name] { return device }
        guard devices.count < limits.devices else { throw .tooManyDevices(limit: limits.devices) }
        record(.device(name: name, at: now))
        return makeDevice(named: name, at: now)
    }

    /// - Parameter name: must be unused.
    mutating func makeDevice(named name: String, at now: Instant) -> Device {
        let device = Device(
            name: name, createdAt: now, conditions: catalog.plainConditions, deletedBefore: deletedCount, checkpoints)
        insert(device)
        changes?.change(device: name)
        return device
    }

    mutating func insert(_ device: Device) {
        devices.insert(device)
        movePerson(of: device, from: nil)
    }

    /// Lists a device that is new, or whose person may have changed.
    mutating func movePerson(of device: Device, from former: String?) {
        let person = device.state.conditions.value.person
        guard person != former else { return }
        if let former { people.remove(device, from: former) }
        if let person { people.insert(device, in: person) }
    }

    func device(named name: String) throws(SimulatorError) -> Device {
        guard let device = devices[name] else { throw .noSuchDevice(name) }
        return device
    }

    /// - Parameters:
    ///   - token: must be unused.
    ///   - isFormer: whether it is not the token that the app currently sends to its back end.
    mutating func add(
        _ request: TokenRequest, to device: Device, token: DeviceToken, at now: Instant, isFormer: Bool = false
    ) -> Registration {
        record(.registration(request, token: token, at: now, isFormer: isFormer))
        return install(request, on: device, token: token, at: now, isFormer: isFormer)
    }

    /// A part of an input that the caller records.
    mutating func install(
        _ request: TokenRequest, on device: Device, token: DeviceToken, at now: Instant, isFormer: Bool = false
    ) -> Registration {
        if !isFormer {
            catchUp(device, to: now)
            update(device, at: now) { state, now in state.countToken(of: request.bundleID, at: now) }
            markInstalled(request.bundleID, on: device)
        }
        let entry = RegistrationEntry(request, on: device, token: token, at: max(now, device.state.lastEventAt))
        if !isFormer { entry.issuedEvent = device.state.lastEvent }
        device.registrations.append(entry)
        tokens[token] = entry
        changes?.change(device: device.name)
        if device.registrations.count > Self.maximumFormerTokenCount { forgetTokens(of: device, at: now) }
        return entry.snapshot
    }

    mutating func set(_ status: RegistrationStatus, of entry: RegistrationEntry) {
        record(.status(token: entry.token, status))
        entry.status = status
        if status == .active { markInstalled(entry.bundleID, on: entry.device) }
        changes?.change(device: entry.device.name)
    }

    /// A registration reinstalls an app.
    private func markInstalled(_ bundleID: String, on device: Device) {
        // Most devices have uninstalled nothing, and a change saves them for a checkpoint.
        if !device.state.uninstalled.isEmpty { device.state.mark(bundleID, isInstalled: true) }
    }

    /// Deletes a device with its tokens and notifications; false when it does not exist.
    mutating func deleteDevice(named name: String) -> Bool {
        guard remove(deviceNamed: name) else { return false }
        record(.deviceDeleted(name: name))
        return true
    }

    /// Deletes the first of these devices, at least one before `end`, and returns how many.
    mutating func deleteDevices(named names: ArraySlice<String>, until end: ContinuousClock.Instant) -> Int {
        var count = 0
        for name in names {
            remove(deviceNamed: name)
            count += 1
            if ContinuousClock.now >= end { break }
        }
        record(.devicesDeleted(names: Array(names.prefix(count))))
        return count
    }

    /// A part of an input that the caller records.
    @discardableResult
    mutating func remove(deviceNamed name: String) -> Bool {
        guard let device = devices.remove(name) else { return false }
        deletedCount &+= 1
        if let person = device.state.conditions.value.person { people.remove(device, from: person) }
        _ = unread?.forget(name)
        changes?.delete(device: name)
        for item in device.state.inbox.items { _ = clear(item.sequence) }
        for registration in device.registrations { tokens[registration.token] = nil }
        forgetSubscriptions(of: device)
        device.delete()
        return true
    }
}
