internal import APNs
internal import DeviceModel

/// Everything a simulator knows; all of it stands behind one lock.
struct Store {
    let limits: InboxLimits
    /// All tokens ever issued, former ones too.
    var tokens: [DeviceToken: RegistrationEntry] = [:]
    /// The devices by name.
    var devices: [String: Device] = [:]
    /// The apps by bundle identifier.
    var apps: [String: App] = [:]
    /// What all inboxes hold, in the order of arrival.
    var log = NotificationLog()
    /// What has become of the pushes to all devices.
    var counts = DeliveryCounts()
    /// The number of the newest notification ever received; never goes back.
    var lastSequence: UInt64 = 0
    /// The newest notification that was dropped: a cursor before it misses something.
    var lastDropped: UInt64 = 0
    /// Waits that sleep, by number.
    var waiters: [UInt64: Waiter] = [:]
    /// The number of the latest wait.
    var lastWaiter: UInt64 = 0
    /// Waits end at once from now on.
    var isFinished = false

    init(limits: InboxLimits) {
        self.limits = limits
    }

    /// Delivers a push, and makes room for it when there is none.
    ///
    /// - Parameter freed: takes what was dropped, to be released outside the lock.
    mutating func receive(
        _ push: Push, for registration: RegistrationEntry, verdict: DiscardReason?, freed: inout Push?
    ) -> UInt64 {
        lastSequence += 1
        let sequence = lastSequence
        if verdict == nil { counts.delivered += 1 } else { counts.discarded += 1 }
        let event = DeviceEvent.received(sequence: sequence, verdict: verdict, capacity: limits.perDevice)
        guard case .settled(let state, let dropped) = registration.device.state.reduce(event) else {
            counts.cleared += 1
            return sequence
        }
        if let dropped {
            freed = forget(dropped)
        } else if log.count >= limits.total, let oldest = log.first {
            _ = oldest.registration?.device.state.reduce(.dropped(sequence: oldest.sequence))
            freed = forget(oldest.sequence)
        }
        log.append(
            LogEntry(push: push, registration: registration, sequence: sequence, settleDelay: 0, state: state))
        return sequence
    }

    /// Drops what is more than the limits allow after one notification was put back.
    mutating func makeRoom(on device: Device) {
        if device.state.inbox.count > limits.perDevice, let oldest = device.state.inbox.first {
            _ = device.state.reduce(.dropped(sequence: oldest))
            _ = forget(oldest)
        } else if log.count > limits.total, let oldest = log.first {
            _ = oldest.registration?.device.state.reduce(.dropped(sequence: oldest.sequence))
            _ = forget(oldest.sequence)
        }
    }

    private mutating func forget(_ sequence: UInt64) -> Push? {
        counts.dropped += 1
        lastDropped = max(lastDropped, sequence)
        return log.remove(sequence)
    }

    /// Clears one notification; false when it is gone already.
    mutating func clear(_ sequence: UInt64) -> Bool {
        guard let device = log[sequence]?.registration?.device else { return false }
        _ = device.state.reduce(.cleared(sequence: sequence))
        counts.cleared += 1
        return log.remove(sequence) != nil
    }

    // MARK: Devices and registrations

    /// The device of a name, made when there is none.
    mutating func device(named name: String, at now: Instant) throws(SimulatorError) -> Device {
        if let device = devices[name] { return device }
        guard devices.count < limits.devices else { throw .tooManyDevices(limit: limits.devices) }
        let device = Device(name: name, createdAt: now)
        devices[name] = device
        return device
    }

    /// Adds a registration with a token that nobody has.
    mutating func add(_ request: TokenRequest, to device: Device, token: DeviceToken, at now: Instant) -> Registration {
        let entry = RegistrationEntry(request, on: device, token: token, at: now)
        device.registrations.append(entry)
        tokens[token] = entry
        return entry.snapshot
    }

    /// Deletes a device with its tokens and notifications; false when there is none.
    mutating func deleteDevice(named name: String) -> Bool {
        guard let device = devices.removeValue(forKey: name) else { return false }
        for sequence in device.state.inbox.elements { _ = clear(sequence) }
        for registration in device.registrations { tokens[registration.token] = nil }
        device.delete()
        return true
    }

    /// Takes out the waits that an arrival for this registration may end.
    mutating func takeWaiters(for registration: RegistrationEntry) -> [Waiter] {
        let woken = waiters.filter { _, waiter in waiter.filter.mayMatch(registration) }
        for number in woken.keys { waiters[number] = nil }
        return Array(woken.values)
    }
}
