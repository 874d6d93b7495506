internal import APNs
internal import DeviceModel
internal import Time

/// The part of a checkpoint besides devices and notifications.
struct CheckpointHeader: RecordedAsJSON {
    /// Its lists of devices, contexts and notifications follow piece by piece.
    var state: SimulatorSnapshot
    var limits: InboxLimits
    var assumptions: Assumptions
    var metadata: [String: String]
    /// nil for a state that is loaded; older files have none.
    var generation: UInt64?
}

/// A part of a snapshot: devices first, then notifications, each policy context before its first notification.
enum SnapshotPiece {
    case device(SimulatorSnapshot.DeviceSnapshot)
    case context(PolicyInputs)
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

    init(_ header: CheckpointHeader) { record.put(header) }

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
        header = try record.read()
    }

    mutating func next() throws(RecordDamage) -> SnapshotPiece? {
        while record.isAtEnd {
            guard let part = parts.popFirst() else { return nil }
            record = RecordReader(part)
        }
        switch try record.read() as CheckpointWriter.Code {
        case .device:
            var device: SimulatorSnapshot.DeviceSnapshot = try record.read()
            if try record.read() as Bool { device.conditions = try values.conditions.read(from: &record) }
            return .device(device)
        case .context: return .context(try values.readContext(from: &record))
        case .notification: return .notification(try record.read())
        }
    }
}

/// Values that devices and contexts share: each distinct one is written once, at its first use.
private struct SharedValues {
    struct Table<Value: Hashable & Sendable & RecordedAsJSON> {
        private var numbers: [Value: UInt32] = [:]
        private var values: [Shared<Value>] = []

        mutating func write(_ value: Value, to record: inout RecordWriter) {
            let next = UInt32(numbers.count)
            let number = numbers[value] ?? next
            record.put(number)
            guard number == next else { return }
            numbers[value] = number
            record.put(value)
        }

        mutating func read(from record: inout RecordReader) throws(RecordDamage) -> Shared<Value> {
            let number = Int(try record.read() as UInt32)
            if number == values.count { values.append(Shared(try record.read())) }
            guard values.indices.contains(number) else { throw RecordDamage() }
            return values[number]
        }
    }

    var conditions = Table<DeviceConditions>()
    private var apps = Table<App>()
    private var settings = Table<NotificationSettings>()
    private var assumptions = Table<Assumptions>()

    mutating func write(_ context: PolicyInputs, to record: inout RecordWriter) {
        conditions.write(context.device, to: &record)
        apps.write(context.app, to: &record)
        settings.write(context.settings, to: &record)
        assumptions.write(context.assumptions, to: &record)
    }

    mutating func readContext(from record: inout RecordReader) throws(RecordDamage) -> PolicyInputs {
        PolicyInputs(
            device: try conditions.read(from: &record).value, app: try apps.read(from: &record).value,
            settings: try settings.read(from: &record).value, assumptions: try assumptions.read(from: &record).value)
    }
}

// MARK: Members

/// Excludes the conditions, which `CheckpointWriter` adds.
extension SimulatorSnapshot.DeviceSnapshot: Recorded {
    func write(to record: inout RecordWriter) {
        record.put(
            name, createdAt, registrations, counts, lastDropped, apps, eventCount, lastEventAt, lastLostEvent, nextDue,
            nextFocusChange, nextSummaryAt, details?.value)
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        let details: DeviceDetails?
        (
            name, createdAt, registrations, counts, lastDropped, apps, eventCount, lastEventAt, lastLostEvent, nextDue,
            nextFocusChange, nextSummaryAt, details
        ) = try record.read()
        self.details = details.map { Shared($0) }
    }
}

extension SimulatorSnapshot.RegistrationSnapshot: Recorded {
    func write(to record: inout RecordWriter) {
        record.put(token, topic, environment, kind, generation, registeredAt, status, subject, issuedEvent)
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        (token, topic, environment, kind, generation, registeredAt, status, subject, issuedEvent) = try record.read()
    }
}

extension SimulatorSnapshot.NotificationSnapshot: Recorded {
    func write(to record: inout RecordWriter) {
        guard case .push(let push, _) = push else { preconditionFailure("a checkpoint is made from a store's pushes") }
        record.put(
            push, sequence, token, device, state, settledAt, receivedEvent, deliveryEvent, timing, level, presentation,
            places, category, circumstances, extensionCircumstances, self.extension?.value)
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        let push: Push = try record.read()
        let `extension`: ExtensionRecord?
        (
            sequence, token, device, state, settledAt, receivedEvent, deliveryEvent, timing, level, presentation,
            places, category, circumstances, extensionCircumstances, `extension`
        ) = try record.read()
        self.extension = `extension`.map { Shared($0) }
        self.push = .push(push, token)
    }
}

extension DeliveryCounts: Recorded {
    func write(to record: inout RecordWriter) { record.put(received, delivered, discarded, dropped, cleared) }

    init(from record: inout RecordReader) throws(RecordDamage) {
        (received, delivered, discarded, dropped, cleared) = try record.read()
    }
}

extension RegistrationStatus: Recorded {
    func write(to record: inout RecordWriter) { record.put(kind, since) }

    init(from record: inout RecordReader) throws(RecordDamage) {
        let (kind, since): (Kind, Instant?) = try record.read()
        self.init(kind, since: since ?? .never)
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
        switch try record.read() as UInt8 {
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
extension Timing: Recorded {}
extension Presentation: Codable, Recorded {}
extension Places: Codable, Recorded {}
extension AppState: RecordedAsJSON {}
extension DeviceDetails: RecordedAsJSON {}
extension ExtensionRecord: RecordedAsJSON {}
extension DeviceConditions: RecordedAsJSON {}
extension App: RecordedAsJSON {}
extension NotificationSettings: RecordedAsJSON {}
extension Assumptions: RecordedAsJSON {}
