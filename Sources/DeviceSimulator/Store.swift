internal import APNs
internal import DeviceModel

/// The simulator's state, all of it behind one lock.
struct Store {
    var limits: InboxLimits
    let catalog: AppCatalog
    /// All tokens ever issued.
    var tokens: [DeviceToken: RegistrationEntry] = [:]
    var devices = DeviceTable()
    /// The notifications of all inboxes, in the order of arrival.
    var log = NotificationLog()
    var counts = DeliveryCounts()
    /// Of the newest notification ever received; never decreases.
    var lastSequence: UInt64 = 0
    /// The newest notification that was dropped; a cursor before it has a gap.
    var lastDropped: UInt64 = 0
    /// Incremented with everything that happens on any device.
    var changeCount: UInt64 = 0
    var dues = DueQueue()
    var extensionTasks: [ExtensionTask] = []
    /// How many states were loaded; not part of the state.
    var generation: UInt64 = 0
    /// By number.
    var waiters: [UInt64: Waiter] = [:]
    var lastWaiter: UInt64 = 0
    /// Inputs to be written; nil without a journal.
    var queue: InputQueue?
    /// Metadata persisted for other components, by name.
    var metadata: [String: String] = [:]
    /// At shutdown waits end at once.
    var isFinished = false

    init(limits: InboxLimits, catalog: AppCatalog) {
        self.limits = limits
        self.catalog = catalog
    }

    /// Queues an input for the journal. Every change of the store must pass here, or a restart loses it.
    @inline(__always)
    mutating func record(_ input: @autoclosure () -> SimulatorInput) {
        if queue != nil { queue?.append(input()) }
    }

    @inline(__always)
    mutating func record(_ change: @autoclosure () -> SimulatorChange) {
        if queue != nil { queue?.append(.change(change())) }
    }

    /// Gives a push to its device, and makes room for it when there is none.
    ///
    /// - Parameter freed: receives what was dropped, to be released outside the lock.
    mutating func receive(
        _ push: Push, for registration: RegistrationEntry, _ digest: PayloadDigest, freed: inout Push?
    ) -> UInt64 {
        lastSequence += 1
        let sequence = lastSequence
        let device = registration.device
        guard !device.isDeleted else {
            record(.astray(sequence: sequence))
            counts.received += 1
            counts.cleared += 1
            return sequence
        }
        record(.push(push, token: registration.token, sequence: sequence))
        if device.state.inbox.count >= limits.perDevice, let oldest = device.state.dispensable {
            freed = drop(oldest, of: device)
        } else if log.count >= limits.total, let oldest = log.first, let holder = oldest.registration?.device {
            freed = drop(oldest.sequence, of: holder)
        }
        log.append(LogEntry(push: push, registration: registration, sequence: sequence))
        let arrival = Arrival(push, for: registration, sequence: sequence, digest)
        let context = registration.context(in: catalog)
        let catalog = catalog
        update(device) { state in state.receive(arrival, context, at: push.receivedAt, in: catalog) }
        return sequence
    }

    /// Changes a device, and updates what depends on it: the sums, the due queue, the tasks for extensions.
    mutating func update<Failure: Error>(
        _ device: Device, _ change: (inout DeviceState) throws(Failure) -> Void
    ) throws(Failure) {
        let before = device.state.counts
        defer {
            counts.add(device.state.counts, since: before)
            changeCount += 1
            if device.state.nextDue < device.queuedDue { dues.insert(device) }
            if !device.state.extensionTasks.isEmpty {
                extensionTasks += device.state.extensionTasks
                device.state.extensionTasks = []
            }
        }
        try change(&device.state)
    }

    /// Frees the devices of an unused store: they and their registrations refer to each other.
    func abandon() {
        for device in devices.values { device.delete() }
    }

    /// Drops what exceeds the limits.
    mutating func makeRoom() {
        for device in devices.values {
            while device.state.inbox.count > limits.perDevice, let oldest = device.state.dispensable {
                _ = drop(oldest, of: device)
            }
        }
        while log.count > limits.total, let oldest = log.first, let device = oldest.registration?.device {
            _ = drop(oldest.sequence, of: device)
        }
    }

    private mutating func drop(_ sequence: UInt64, of device: Device) -> Push? {
        let before = device.state.counts
        device.state.drop(sequence)
        counts.add(device.state.counts, since: before)
        counts.dropped += 1
        lastDropped = max(lastDropped, sequence)
        return log.remove(sequence)
    }

    /// Clears one notification; false when it is gone already.
    mutating func clear(_ sequence: UInt64) -> Bool {
        guard let device = log[sequence]?.registration?.device else { return false }
        device.state.clear(sequence)
        counts.cleared += 1
        return log.remove(sequence) != nil
    }

    // MARK: Devices and registrations

    /// Creates the device when there is none of the name.
    mutating func device(named name: String, at now: Instant) throws(SimulatorError) -> Device {
        if let device = devices[name] { return device }
        guard devices.count < limits.devices else { throw .tooManyDevices(limit: limits.devices) }
        record(.device(name: name, at: now))
        let device = Device(name: name, createdAt: now, conditions: catalog.plainConditions, in: catalog)
        devices.insert(device)
        return device
    }

    func device(named name: String) throws(SimulatorError) -> Device {
        guard let device = devices[name] else { throw .noSuchDevice(name) }
        return device
    }

    /// - Parameter token: an unused one.
    mutating func add(_ request: TokenRequest, to device: Device, token: DeviceToken, at now: Instant) -> Registration {
        record(.registration(request, token: token, at: now))
        let entry = RegistrationEntry(request, on: device, token: token, at: now)
        device.registrations.append(entry)
        tokens[token] = entry
        return entry.snapshot
    }

    mutating func set(_ status: RegistrationStatus, of entry: RegistrationEntry) {
        record(.status(token: entry.token, status))
        entry.status = status
    }

    /// Deletes a device with its tokens and notifications; false when there is none.
    mutating func deleteDevice(named name: String) -> Bool {
        guard let device = devices.remove(name) else { return false }
        record(.deviceDeleted(name: name))
        for item in device.state.inbox.items { _ = clear(item.sequence) }
        for registration in device.registrations { tokens[registration.token] = nil }
        device.delete()
        return true
    }

    /// Removes the waits that a change on a device may end; the topic is nil when it may concern any app.
    mutating func takeWaiters(device: String, topic: String?) -> [Waiter] {
        let woken = waiters.filter { _, waiter in waiter.filter.mayMatch(device: device, topic: topic) }
        for number in woken.keys { waiters[number] = nil }
        return Array(woken.values)
    }
}
