internal import APNs
internal import DeviceModel
internal import Time

/// What an input of a device depends on besides its state. It does not change during the input.
struct Moment {
    /// On the device's clock.
    var time: Instant
    var catalog: AppCatalog
    /// nil for a state without a device.
    let tokens: DeviceTokens?
    /// Of the newest notification before the input, or of the push that is the input.
    var lastSequence: UInt64
    /// Whether changes of notifications are among the effects.
    let isFollowed: Bool

    func at(_ time: Instant) -> Moment {
        var moment = self
        moment.time = time
        return moment
    }

    func notBefore(_ time: Instant) -> Moment { at(max(self.time, time)) }

    /// In which an app gets tokens.
    func environment(of bundleID: String) -> APNsEnvironment {
        registrations.last { $0.bundleID == bundleID && $0.status == .active }?.environment ?? .sandbox
    }

    /// That of the app's last token of a service, which need not be that of the app's own.
    func serviceEnvironment(of bundleID: String) -> APNsEnvironment {
        let kinds: Set<TokenKind> = [.widgets, .controls, .pushtotalk, .mdm]
        return registrations.last { $0.bundleID == bundleID && kinds.contains($0.kind) }?.environment
            ?? environment(of: bundleID)
    }

    var registrations: [RegistrationEntry] { tokens?.registrations ?? [] }
}

/// What a device's inputs read of it besides its state.
struct DeviceTokens {
    private let device: Device
    private let presentsLocal: Bool

    /// - Parameter presentsLocal: Whether local notifications fire.
    init(_ device: Device, presentsLocal: Bool = true) { (self.device, self.presentsLocal) = (device, presentsLocal) }

    var deviceName: String { device.name }
    var registrations: [RegistrationEntry] { device.registrations }

    func localEntry(of bundleID: String) -> RegistrationEntry? {
        presentsLocal ? device.localEntry(of: bundleID) : nil
    }
}

/// An effect of a device's inputs outside its state. The store performs them after each input.
enum StoreEffect {
    /// An existing notification changed.
    case changed(UInt64)
    /// A local notification fired.
    case fired(LogEntry)
    /// A push goes to its service extension.
    case extending(ExtensionTask)
    /// The device got a broadcast that APNs had stored for it.
    case gotBroadcast(ChannelKey)
    case request(DeviceRequest, at: Instant)

    var isRequest: Bool { if case .request = self { true } else { false } }
}

extension [StoreEffect] {
    /// The number of the newest notification.
    ///
    /// - Parameter last: Of the newest one before these effects.
    func lastSequence(after last: UInt64) -> UInt64 {
        for case .fired(let entry) in reversed() { return Swift.max(last, entry.sequence) }
        return last
    }
}
