internal import APNs
internal import DeviceModel
internal import Synchronization

/// An input to the simulator; replaying all inputs in order restores its state.
enum SimulatorInput: Sendable {
    /// A push for a token; nearly all inputs are pushes.
    case push(Push, token: DeviceToken, sequence: UInt64)
    case change(SimulatorChange)
}

/// An input other than a push. What follows from pushes and time is not an input.
enum SimulatorChange: Sendable, Codable {
    /// New limits and assumptions, in effect from here on.
    case setup(limits: InboxLimits, assumptions: Assumptions)
    /// A push arrived for a device that had just been deleted.
    case astray(sequence: UInt64)

    // MARK: Devices and apps
    case device(name: String, at: Instant)
    case deviceDeleted(name: String)
    case registration(
        device: String, topic: String, environment: APNsEnvironment, kind: TokenKind, generation: Int,
        token: DeviceToken, at: Instant)
    case status(token: DeviceToken, RegistrationStatus)
    case app(App)
    case appDeleted(bundleID: String)

    // MARK: What happens on a device
    case act(DeviceAct, device: String, at: Instant)
    case conditions(DeviceConditions, device: String, at: Instant)
    case settings(NotificationSettings?, app: String, device: String, at: Instant)
    /// The service extension was done with a push.
    case extended(notification: UInt64, ExtensionRecord, device: String, at: Instant)
    /// Everything that was due by then happened.
    case time(device: String, at: Instant)

    // MARK: The whole
    case cleared(notifications: [UInt64])
    case reset(keeping: Int)
    case loaded(SimulatorSnapshot, at: Instant)
    /// Metadata stored for another component; nil removes it.
    case metadata(key: String, text: String?)
}

extension DeviceInput {
    /// The input as a change; nil for a push.
    func change(on device: String, at now: Instant) -> SimulatorChange? {
        switch self {
        case .arrival: nil
        case .act(let act): .act(act, device: device, at: now)
        case .extended(let notification, let record):
            .extended(notification: notification, record.value, device: device, at: now)
        case .conditions(let conditions): .conditions(conditions, device: device, at: now)
        case .settings(let settings, let app): .settings(settings, app: app, device: device, at: now)
        case .time: .time(device: device, at: now)
        }
    }
}

extension SimulatorInput: Recorded {
    private enum Code: UInt8, Recorded { case push = 1, change }

    /// Pushes in binary, changes as JSON: they are rare.
    func write(to record: inout RecordWriter) {
        record.putPart { record in
            switch self {
            case .push(let push, let token, let sequence): record.put(Code.push, sequence, token, push)
            case .change(let change): record.put(Code.change, RecordedJSON(change))
            }
        }
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        var part = try record.part()
        switch try part.read(Code.self) {
        case .push:
            let (sequence, token): (UInt64, DeviceToken) = (try part.read(), try part.read())
            self = .push(try part.read(), token: token, sequence: sequence)
        case .change: self = .change(try part.read(RecordedJSON<SimulatorChange>.self).value)
        }
    }
}

extension Store {
    /// Replays an input after all inputs before it.
    ///
    /// - Throws: `RecordDamage` when it cannot have happened.
    mutating func replay(_ input: SimulatorInput) throws(RecordDamage) {
        switch input {
        case .push(let push, let token, let sequence):
            guard let registration = tokens[token] else { throw RecordDamage() }
            lastSequence = sequence - 1
            var freed: Push?
            _ = receive(push, for: registration, PayloadDigest(push.payload.span.bytes), freed: &freed)
        case .change(let change):
            do {
                try replay(change)
            } catch {
                throw RecordDamage()
            }
        }
    }

    private mutating func replay(_ change: SimulatorChange) throws {
        switch change {
        case .setup(let limits, let assumptions): set(up: limits, assumptions)
        case .astray(let sequence):
            lastSequence = sequence
            counts.received += 1
            counts.cleared += 1
        case .device(let name, let now): _ = try device(named: name, at: now)
        case .deviceDeleted(let name): _ = deleteDevice(named: name)
        case .registration(let name, let topic, let environment, let kind, let generation, let token, let now):
            let request = TokenRequest(
                device: name, topic: topic, environment: environment, kind: kind, generation: generation)
            guard tokens[token] == nil else { throw RecordDamage() }
            _ = add(request, to: try device(named: name), token: token, at: now)
        case .status(let token, let status):
            guard let entry = tokens[token] else { throw RecordDamage() }
            set(status, of: entry)
        case .app(let app): put(app)
        case .appDeleted(let bundleID): _ = removeApp(bundleID)
        case .act(let act, let name, let now):
            let device = try device(named: name)
            // An earlier build may have allowed what is refused today; then it changes nothing.
            try? reduce(.act(act), on: device, at: now)
        case .extended(let notification, let record, let name, let now):
            try reduce(.extended(notification, Shared(record)), on: try device(named: name), at: now)
        case .conditions(let conditions, let name, let now):
            try reduce(.conditions(conditions), on: try device(named: name), at: now)
        case .settings(let settings, let app, let name, let now):
            try reduce(.settings(settings, app: app), on: try device(named: name), at: now)
        case .time(let name, let now): advance(try device(named: name), to: now)
        case .cleared(let sequences): _ = clear(sequences)
        case .reset(let scope): reset(keeping: ResetScope(rawValue: scope))
        case .loaded(let snapshot, let now): _ = try load(snapshot, at: now)
        case .metadata(let key, let text): metadata[key] = text
        }
    }
}

extension Store {
    /// Asks the service extensions again about every push that waits for them, in the order of the pushes; answers to former
    /// requests no longer come.
    mutating func askExtensionsAgain() {
        extensionTasks = devices.values.flatMap { device in
            device.state.extending.compactMap { waiting in
                // One with a record was answered already, while the device was off.
                guard let push = device.state.extended[waiting.arrival.sequence], push.record == nil else { return nil }
                return (
                    ExtensionTask(arrival: waiting.arrival, context: push.context, at: waiting.since), device.name
                )
            }
        }
        extensionTasks.sort { $0.task.arrival.sequence < $1.task.arrival.sequence }
    }

    /// Sets limits and assumptions; what exceeds the limits is dropped and counted.
    mutating func set(up limits: InboxLimits, _ assumptions: Assumptions) {
        guard limits != self.limits || assumptions != catalog.assumptions else { return }
        record(.setup(limits: limits, assumptions: assumptions))
        if assumptions != catalog.assumptions { catalog.assumptions = assumptions }
        self.limits = limits
        makeRoom()
    }

    mutating func setMetadata(_ text: String?, for key: String) {
        guard metadata[key] != text else { return }
        record(.metadata(key: key, text: text))
        metadata[key] = text
    }
}

/// Metadata persisted for other components: the clock, keys, the applied configuration.
extension DeviceSimulator {
    /// nil removes it.
    package func setMetadata(_ text: String?, for key: String) { store.withLock { $0.setMetadata(text, for: key) } }

    package func metadata(_ key: String) -> String? { store.withLock { $0.metadata[key] } }

    package func metadata(withPrefix prefix: String) -> [String: String] {
        store.withLock { $0.metadata.filter { $0.key.hasPrefix(prefix) } }
    }
}
