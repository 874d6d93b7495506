internal import APNs
internal import DeviceModel

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
    case note(key: String, text: String?)
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
