internal import APNs
internal import DeviceModel

/// Something that was done to a simulator: doing the same things again in the same order makes the same simulator again.
enum SimulatorInput: Sendable {
    /// A push for a token; by far the most of all inputs.
    case push(Push, token: DeviceToken, sequence: UInt64)
    case change(SimulatorChange)
}

/// An input that is no push. What time and pushes lead to is none: it follows.
enum SimulatorChange: Sendable, Codable {
    /// The limits and assumptions that hold from here on.
    case setup(limits: InboxLimits, assumptions: Assumptions)
    /// A push came for a device that had just been deleted.
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
    /// Something that belongs to nobody here but is to be kept; nil forgets it.
    case note(key: String, text: String?)
}

extension DeviceInput {
    /// The input as the journal keeps it; nil for a push, which is kept otherwise.
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
