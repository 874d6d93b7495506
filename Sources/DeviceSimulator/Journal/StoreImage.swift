internal import APNs
internal import DeviceModel
internal import JSON
internal import Synchronization

/// A store as it was at one moment.
///
/// Making it costs the same however many devices there are, since pushes wait meanwhile: from then on a device saves what it was
/// like before it changes, and `deviceImages(_:)` fetches that a few devices at a time.
///
/// - Note: Of the objects that it shares with the store only what never changes is read, but for `deviceImages(_:)`, which takes
///   the lock. That makes `@unchecked Sendable` hold.
struct StoreImage: @unchecked Sendable {
    /// What there is once.
    struct Header: Codable {
        var apps: [App]
        var limits: InboxLimits
        var assumptions: Assumptions
        var counts: DeliveryCounts
        var lastSequence: UInt64
        var lastDropped: UInt64
        var notes: [String: String]
    }

    let header: Header
    private let devices: DeviceTable
    let log: NotificationLog
    let plainConditions: Shared<DeviceConditions>

    /// Begins a checkpoint.
    init(_ store: Store) {
        store.world.beginCheckpoint()
        self.init(beside: store)
    }

    /// Leaves a checkpoint that is being made alone; `deviceImages(_:)` is not for this image.
    fileprivate init(beside store: Store) {
        header = Header(
            apps: store.world.apps.values.sorted { $0.bundleID < $1.bundleID }, limits: store.limits,
            assumptions: store.world.assumptions, counts: store.counts, lastSequence: store.lastSequence,
            lastDropped: store.lastDropped, notes: store.notes)
        devices = store.devices
        log = store.log
        plainConditions = store.world.plainConditions
    }

    /// How many devices are fetched while pushes wait: some tens of microseconds.
    private static let batchCount = 64

    /// What the devices were like; to be called once, and before the next image is made.
    ///
    /// - Parameter store: the store, or what took its place.
    func deviceImages(_ store: borrowing Mutex<Store>) -> [DeviceImage] {
        let devices = Array(devices.values)
        var images: [DeviceImage] = []
        images.reserveCapacity(devices.count)
        for start in stride(from: 0, to: devices.count, by: Self.batchCount) {
            let batch = devices[start..<min(start + Self.batchCount, devices.count)]
            images += store.withLock { _ in Images(images: batch.map { $0.takeImage() }) }.images
        }
        return images
    }

    /// - Note: Saved images are never changed; that makes `@unchecked Sendable` hold.
    private struct Images: @unchecked Sendable {
        let images: [DeviceImage]
    }
}

/// All of a store as it is now, to be read outside of the lock. Checkpoints go on beside it.
///
/// - Note: As for `StoreImage`.
struct StoreCopy: @unchecked Sendable {
    let image: StoreImage
    let devices: [DeviceImage]

    init(_ store: Store) {
        image = StoreImage(beside: store)
        devices = store.devices.values.map { DeviceImage($0) }
    }
}

/// A device at one moment. Everything but `device`'s name and age is copied.
final class DeviceImage {
    let device: Device
    let registrations: [(entry: RegistrationEntry, status: RegistrationStatus)]
    let state: DeviceState

    init(_ device: Device) {
        self.device = device
        registrations = device.registrations.map { ($0, $0.status) }
        state = device.state
    }
}

/// What of a device's state is worth a text: most devices have none of it.
struct DeviceDetails: Codable {
    struct Held: Codable {
        var notification: UInt64
        /// In milliseconds, as it may be later than any text can say.
        var expiresAt: Int64
    }

    /// A push that is with its service extension.
    struct Extending: Codable {
        var notification: UInt64
        var since: Int64
    }

    /// A push that went there, in what surrounded it then.
    struct Extended: Codable {
        var notification: UInt64
        /// Their number in the checkpoint.
        var circumstances: UInt32
        var record: ExtensionRecord?
    }

    struct Collapsed: Codable {
        var app: String
        var identifier: String
        var notification: UInt64
    }

    var apps: [SimulatorSnapshot.AppSnapshot] = []
    var held: [Held] = []
    var extending: [Extending] = []
    var extended: [Extended] = []
    var nextSummary: [SummaryItem] = []
    var collapsed: [Collapsed] = []
    var diary: [DiaryLine] = []
    var diaryDropped: UInt64 = 0

    /// Whether there is nothing to say.
    var isEmpty: Bool {
        apps.isEmpty && held.isEmpty && extending.isEmpty && extended.isEmpty && nextSummary.isEmpty
            && collapsed.isEmpty && diary.isEmpty
    }
}

/// An entry of a device's diary as it is written down.
struct DiaryLine: Codable {
    enum Content: Codable {
        case act(DeviceAct)
        case conditions(DeviceConditions, changed: [String])
        case settings(NotificationSettings?, app: String)
        case extended(UInt64, ExtensionRecord)
        case effect(DeviceEvent.Kind, notification: UInt64?, app: String?, details: [String: JSONValue])
    }

    var number: UInt64
    var at: Int64
    var content: Content

    init(_ entry: EventLog.Entry) {
        number = entry.number
        at = entry.at.milliseconds
        content =
            switch entry.content {
            case .act(let act): .act(act)
            case .conditions(let conditions, let changed): .conditions(conditions.value, changed: changed)
            case .settings(let settings, let app): .settings(settings?.value, app: app)
            case .extended(let notification, let record): .extended(notification, record.value)
            case .effect(let kind, let notification, let app, let details):
                .effect(kind, notification: notification, app: app, details: details)
            }
    }

    var entry: EventLog.Entry {
        let content: EventLog.Content =
            switch content {
            case .act(let act): .act(act)
            case .conditions(let conditions, let changed): .conditions(Shared(conditions), changed: changed)
            case .settings(let settings, let app): .settings(settings.map { Shared($0) }, app: app)
            case .extended(let notification, let record): .extended(notification, Shared(record))
            case .effect(let kind, let notification, let app, let details):
                .effect(kind, notification: notification, app: app, details: details)
            }
        return EventLog.Entry(number: number, at: Instant(milliseconds: at), content: content)
    }
}
