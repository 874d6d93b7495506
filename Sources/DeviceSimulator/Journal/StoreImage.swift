internal import APNs
internal import DeviceModel

/// A store as it was at one moment: taken under the lock at the cost of references, written down at leisure.
///
/// - Note: Of the objects that it shares with the store only what never changes is read; the rest was copied under the lock.
///   That makes `@unchecked Sendable` hold.
struct StoreImage: @unchecked Sendable {
    /// A device at that moment. Everything but `device`'s name and age is copied.
    struct DeviceImage {
        let device: Device
        let registrations: [(entry: RegistrationEntry, status: RegistrationStatus)]
        let state: DeviceState
    }

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
    let devices: [DeviceImage]
    let log: NotificationLog
    let plainConditions: Shared<DeviceConditions>

    init(_ store: Store) {
        header = Header(
            apps: store.world.apps.values.sorted { $0.bundleID < $1.bundleID }, limits: store.limits,
            assumptions: store.world.assumptions, counts: store.counts, lastSequence: store.lastSequence,
            lastDropped: store.lastDropped, notes: store.notes)
        devices = store.devices.values.map { device in
            DeviceImage(
                device: device, registrations: device.registrations.map { ($0, $0.status) }, state: device.state)
        }
        log = store.log
        plainConditions = store.world.plainConditions
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
        var circumstances: CircumstancesText
        var record: ExtensionRecord?
    }

    struct Collapsed: Codable {
        var app: String
        var identifier: String
        var notification: UInt64
    }

    var conditions: DeviceConditions?
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
        conditions == nil && apps.isEmpty && held.isEmpty && extending.isEmpty && extended.isEmpty
            && nextSummary.isEmpty
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

    init(_ entry: DeviceDiary.Entry) {
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

    var entry: DeviceDiary.Entry {
        let content: DeviceDiary.Content =
            switch content {
            case .act(let act): .act(act)
            case .conditions(let conditions, let changed): .conditions(Shared(conditions), changed: changed)
            case .settings(let settings, let app): .settings(settings.map { Shared($0) }, app: app)
            case .extended(let notification, let record): .extended(notification, Shared(record))
            case .effect(let kind, let notification, let app, let details):
                .effect(kind, notification: notification, app: app, details: details)
            }
        return DeviceDiary.Entry(number: number, at: Instant(milliseconds: at), content: content)
    }
}
