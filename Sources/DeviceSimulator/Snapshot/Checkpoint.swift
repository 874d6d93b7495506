internal import APNs
internal import DeviceModel

/// The part of a checkpoint besides devices and notifications.
struct CheckpointHeader: Codable {
    /// Its lists of devices, contexts and notifications follow piece by piece.
    var state: SimulatorSnapshot
    var limits: InboxLimits
    var assumptions: Assumptions
    var metadata: [String: String]
}

/// A part of a snapshot: devices first, then notifications, each policy context before its first notification.
enum SnapshotPiece {
    case device(SimulatorSnapshot.DeviceSnapshot)
    case context(PolicyContextText)
    case notification(SimulatorSnapshot.NotificationSnapshot)
}

/// Writes a snapshot in binary, piece by piece, so that the whole is never in memory.
struct CheckpointWriter {
    fileprivate enum Code: UInt8, Recorded { case device = 1, context, notification }

    /// Small enough to write between two groups of inputs.
    private static let partByteCount = 1 << 20

    private(set) var parts: [[UInt8]] = []
    private var record = RecordWriter()
    private var values = SharedValues()

    init(_ header: CheckpointHeader) { record.put(RecordedJSON(header)) }

    mutating func add(_ piece: SnapshotPiece) {
        switch piece {
        case .device(let device):
            record.put(Code.device, device, device.conditions != nil)
            if let conditions = device.conditions { values.conditions.write(conditions.value, to: &record) }
        case .context(let context):
            record.put(Code.context)
            values.write(context, to: &record)
        case .notification(let notification): record.put(Code.notification, notification)
        }
        if record.bytes.count >= Self.partByteCount { finish() }
    }

    mutating func finish() {
        if !record.bytes.isEmpty { parts.append(record.bytes) }
        record.bytes = []
    }
}

struct CheckpointReader {
    let header: CheckpointHeader
    private var parts: ArraySlice<[UInt8]>
    private var record: RecordReader
    private var values = SharedValues()

    init(_ parts: [[UInt8]]) throws(RecordDamage) {
        guard let first = parts.first else { throw RecordDamage() }
        self.parts = parts.dropFirst()
        record = RecordReader(first)
        header = try record.read(RecordedJSON<CheckpointHeader>.self).value
    }

    mutating func next() throws(RecordDamage) -> SnapshotPiece? {
        while record.isAtEnd {
            guard let part = parts.popFirst() else { return nil }
            record = RecordReader(part)
        }
        switch try record.read(CheckpointWriter.Code.self) {
        case .device:
            var device: SimulatorSnapshot.DeviceSnapshot = try record.read()
            if try record.read(Bool.self) { device.conditions = try values.conditions.read(from: &record) }
            return .device(device)
        case .context: return .context(try values.readContext(from: &record))
        case .notification: return .notification(try record.read())
        }
    }
}

/// Values that devices and contexts share: each distinct one is written once, at its first use.
private struct SharedValues {
    struct Table<Value: Hashable & Codable & Sendable> {
        private var numbers: [Value: UInt32] = [:]
        private var values: [Shared<Value>] = []

        mutating func write(_ value: Value, to record: inout RecordWriter) {
            let next = UInt32(numbers.count)
            let number = numbers[value] ?? next
            record.put(number)
            guard number == next else { return }
            numbers[value] = number
            record.put(RecordedJSON(value))
        }

        mutating func read(from record: inout RecordReader) throws(RecordDamage) -> Shared<Value> {
            let number = Int(try record.read(UInt32.self))
            if number == values.count { values.append(Shared(try record.read(RecordedJSON<Value>.self).value)) }
            guard values.indices.contains(number) else { throw RecordDamage() }
            return values[number]
        }
    }

    var conditions = Table<DeviceConditions>()
    private var apps = Table<App>()
    private var settings = Table<NotificationSettings>()
    private var assumptions = Table<Assumptions>()

    mutating func write(_ context: PolicyContextText, to record: inout RecordWriter) {
        conditions.write(context.device, to: &record)
        apps.write(context.app, to: &record)
        settings.write(context.settings, to: &record)
        assumptions.write(context.assumptions, to: &record)
    }

    mutating func readContext(from record: inout RecordReader) throws(RecordDamage) -> PolicyContextText {
        PolicyContextText(
            device: try conditions.read(from: &record).value, app: try apps.read(from: &record).value,
            settings: try settings.read(from: &record).value, assumptions: try assumptions.read(from: &record).value)
    }
}

// MARK: Members

/// Excludes the conditions, which `CheckpointWriter` adds.
extension SimulatorSnapshot.DeviceSnapshot: Recorded {
    func write(to record: inout RecordWriter) {
        record.put(
            name, createdAt, registrations, counts, lastDropped, apps.map(RecordedJSON.init), eventCount, lastEventAt,
            lastLostEvent, nextDue, nextFocusChange, nextSummaryAt, details.map(RecordedJSON.init))
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        self.init(
            name: try record.read(), createdAt: try record.read(), registrations: try record.read(),
            counts: try record.read(), lastDropped: try record.read(),
            apps: try record.read(RecordedJSON<[AppState]>?.self)?.value, eventCount: try record.read(),
            lastEventAt: try record.read(), lastLostEvent: try record.read(), nextDue: try record.read(),
            nextFocusChange: try record.read(), nextSummaryAt: try record.read(),
            details: try record.read(RecordedJSON<DeviceDetails>?.self)?.value)
    }
}

extension SimulatorSnapshot.RegistrationSnapshot: Recorded {
    func write(to record: inout RecordWriter) {
        record.put(token, topic, environment, kind, generation, registeredAt, status)
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        self.init(
            token: try record.read(), topic: try record.read(), environment: try record.read(),
            kind: try record.read(), generation: try record.read(), registeredAt: try record.read(),
            status: try record.read())
    }
}

extension SimulatorSnapshot.NotificationSnapshot: Recorded {
    func write(to record: inout RecordWriter) {
        guard case .push(let push, _) = push else { preconditionFailure("a checkpoint is made from a store's pushes") }
        record.put(
            sequence, token, push, state, settledAt, receivedEvent, deliveryEvent, timing, level, presentation, places,
            category, circumstances, extensionCircumstances, self.extension.map(RecordedJSON.init))
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        let sequence: UInt64 = try record.read()
        let token: DeviceToken = try record.read()
        self.init(
            sequence: sequence, token: token, push: .push(try record.read(), token), state: try record.read(),
            settledAt: try record.read(), receivedEvent: try record.read(), deliveryEvent: try record.read(),
            timing: try record.read(), level: try record.read(), presentation: try record.read(),
            places: try record.read(), category: try record.read(), circumstances: try record.read(),
            extensionCircumstances: try record.read(),
            extension: try record.read(RecordedJSON<ExtensionRecord>?.self)?.value)
    }
}

extension DeliveryCounts: Recorded {
    func write(to record: inout RecordWriter) { record.put(received, delivered, discarded, dropped, cleared) }

    init(from record: inout RecordReader) throws(RecordDamage) {
        self.init()
        (received, delivered) = (try record.read(), try record.read())
        (discarded, dropped, cleared) = (try record.read(), try record.read(), try record.read())
    }
}

extension RegistrationStatus: Recorded {
    func write(to record: inout RecordWriter) {
        record.put(kind)
        if let since { record.put(since) }
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        let kind: Kind = try record.read()
        self.init(kind, since: kind == .active ? .never : try record.read())
    }
}

extension DeliveryState: Recorded {
    func write(to record: inout RecordWriter) {
        switch self {
        case .accepted: record.put(0 as UInt8)
        case .delivered: record.put(1 as UInt8)
        case .stored(let reason): record.put(2 as UInt8, reason)
        case .discarded(let reason): record.put(3 as UInt8, reason)
        }
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        switch try record.read(UInt8.self) {
        case 0: self = .accepted
        case 1: self = .delivered
        case 2: self = .stored(try record.read())
        case 3: self = .discarded(try record.read())
        default: throw RecordDamage()
        }
    }
}

extension RegistrationStatus.Kind: Recorded {}
extension HoldReason: Recorded {}
extension DiscardReason: Recorded {}
extension InterruptionLevel: Recorded {}
extension Timing: Codable, Recorded {}
extension Presentation: Codable, Recorded {}
extension Places: Codable, Recorded {}
