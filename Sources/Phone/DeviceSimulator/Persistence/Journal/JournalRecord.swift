internal import APNs
internal import DeviceModel
internal import LiveModel
internal import Time

/// An input to the simulator; replaying all inputs in order restores its state.
enum JournalRecord: Sendable {
    case push(Push, token: DeviceToken, sequence: UInt64)
    case change(SimulatorChange)
}

/// An input other than a push. Consequences of pushes and time are not inputs.
enum SimulatorChange: Sendable, RecordedAsJSON {
    case setup(limits: InboxLimits, assumptions: Assumptions)
    /// A push to a device that was just deleted.
    case astray(sequence: UInt64)

    // MARK: Devices and apps
    case device(name: String, at: Instant)
    /// A batch of a fleet.
    case generated(Fleet, at: Instant)
    case deviceDeleted(name: String)
    case devicesDeleted(names: [String])
    case registration(TokenRequest, token: DeviceToken, at: Instant, isFormer: Bool)
    case status(token: DeviceToken, RegistrationStatus)
    case app(App)
    case appDeleted(bundleID: String)

    // MARK: Device inputs
    case input(DeviceInput, device: String, at: Instant)

    // MARK: Channels and broadcasts
    case channel(ChannelKey, policy: StoragePolicy, at: Instant)
    case channelDeleted(ChannelKey)
    case broadcast(Broadcast)
    /// A batch of the oldest broadcast.
    case fannedOut(limit: Int)
    /// A batch of the oldest shared reservations.
    case shared(limit: Int)

    // MARK: Whole state
    case cleared(notifications: [UInt64])
    /// Evicted for their age, besides those that a push evicted.
    case aged(at: Instant, limit: Int)
    case reset(keeping: Int)
    case loaded(SimulatorSnapshot)
    case metadata(key: String, text: String?)
    /// The newest number that a rollback undid; it is not reused.
    case numbered(last: UInt64)
}

extension JournalRecord: Recorded {
    private enum Code: UInt8, Recorded { case push = 1, change }

    /// Pushes in binary; changes as JSON, because they are rare.
    func write(to record: inout RecordWriter) {
        switch self {
        case .push(let push, let token, let sequence): record.put(Code.push, sequence, token, push)
        case .change(let change): record.put(Code.change, change)
        }
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        switch try record.read() as Code {
        case .push:
            let (sequence, token, push): (UInt64, DeviceToken, Push) = try record.read()
            self = .push(push, token: token, sequence: sequence)
        case .change: self = .change(try record.read())
        }
    }
}

extension SimulatorState {
    /// - Throws: `RecordDamage` when the input is impossible after those before it.
    mutating func replay(_ input: JournalRecord) throws(RecordDamage) {
        switch input {
        case .push(let push, let token, let sequence):
            guard let registration = tokens[token] else { throw RecordDamage() }
            // A notification that fires before the push gets its number first.
            catchUp(registration.device, to: push.receivedAt)
            lastSequence = sequence - 1
            var freed: Push?
            _ = receive(push, for: registration, push.digest, freed: &freed)
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
        case .generated(let fleet, let now):
            try generate(fleet, fleet.tokenRequests().map { ($0, deriveToken($0)) }, at: now)
        case .deviceDeleted(let name): _ = deleteDevice(named: name)
        case .devicesDeleted(let names): for name in names { _ = remove(deviceNamed: name) }
        case .registration(let request, let token, let now, let isFormer):
            guard tokens[token] == nil else { throw RecordDamage() }
            _ = add(request, to: try device(named: request.device), token: token, at: now, isFormer: isFormer)
        case .status(let token, let status):
            guard let entry = tokens[token] else { throw RecordDamage() }
            set(status, of: entry)
        case .app(let app): put(app)
        case .appDeleted(let bundleID): _ = removeApp(bundleID)
        case .input(let input, let name, let now): try apply(input, on: try device(named: name), at: now)
        case .channel(let key, let policy, let now): insert(Channel(key: key, policy: policy, createdAt: now))
        case .channelDeleted(let key): deleteChannel(key)
        case .broadcast(let message): enqueue(message.numbered(message.number, on: channelKey(like: message.channel)))
        case .fannedOut(let limit): fanOut(limit: limit)
        case .shared(let limit): _ = shareOut(limit: limit)
        case .aged(let now, let limit): _ = evictAged(at: now, limit: limit)
        case .cleared(let sequences): _ = clear(sequences)
        case .reset(let scope): reset(keeping: ResetScope(rawValue: scope))
        case .loaded(let snapshot): try load(snapshot).former.abandon()
        case .metadata(let key, let text): metadata[key] = text
        case .numbered(let last): lastSequence = last
        }
    }
}
