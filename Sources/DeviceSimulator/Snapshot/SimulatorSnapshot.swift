package import APNs
package import DeviceModel
package import FoundationEssentials
internal import Wire

/// Everything a simulator holds. `GET /state` gives it as JSON; a checkpoint holds the same values in binary
/// (`CheckpointWriter`).
package struct SimulatorSnapshot: Sendable, Codable {
    package var apps: [App] = []
    /// By name.
    package var devices: [DeviceSnapshot] = []
    /// Of all devices, oldest first.
    package var notifications: [NotificationSnapshot] = []
    /// The number of the newest notification ever received.
    package var lastSequence: UInt64 = 0
    package var counts = DeliveryCounts()
    /// The newest notification that was dropped.
    package var lastDropped: UInt64 = 0
    /// The policy contexts of the notifications, each once; nil in documents of earlier builds.
    var circumstances: [PolicyContextText]?

    package struct DeviceSnapshot: Sendable, Codable {
        package var name: String
        package var createdAt: Instant
        /// In the order of registering.
        package var registrations: [RegistrationSnapshot]
        package var counts: DeliveryCounts
        /// The newest notification that was dropped.
        package var lastDropped: UInt64
        /// nil while nobody has changed them.
        var conditions: Shared<DeviceConditions>?
        /// The apps that have state of their own on the device.
        var apps: [AppState]?
        package var eventCount: UInt64?
        /// nil without an event.
        package var lastEventAt: Instant?
        /// The newest event of a notification that is gone; nil in documents of earlier builds.
        package var lastLostEvent: UInt64?
        /// When something happens by itself next; nil for never.
        package var nextDue: Instant?
        /// When a schedule switches the Focus next. A change missed before the snapshot is loaded is made up for.
        package var nextFocusChange: Instant?
        /// nil when nothing waits for a summary.
        package var nextSummaryAt: Instant?
        var details: DeviceDetails?
    }

    /// A token in a snapshot.
    package struct RegistrationSnapshot: Sendable, Codable {
        package var token: DeviceToken
        package var topic: String
        package var environment: APNsEnvironment
        package var kind: TokenKind
        package var generation: Int
        package var registeredAt: Instant
        package var status: RegistrationStatus
    }

    package struct NotificationSnapshot: Sendable, Codable {
        package var sequence: UInt64
        /// The token it was sent to, which names its device.
        package var token: DeviceToken
        package var push: PushSnapshot
        package var state: DeliveryState
        /// When the state was reached.
        package var settledAt: Instant
        /// The number of its event `received`; nil in documents of earlier builds.
        package var receivedEvent: UInt64?
        /// The number of the first event of its delivery; nil before.
        package var deliveryEvent: UInt64?
        /// nil unless it is a delivered alert.
        package var decision: DecisionSnapshot?
        /// `Places` of a notification without a decision; nil for none.
        package var places: UInt8?
        /// The category it was delivered with.
        package var category: String?
        /// Its policy context: an index in the document's `circumstances`.
        package var circumstances: Int?
        /// Its policy context when it was given to the service extension.
        package var extensionCircumstances: Int?
        package var `extension`: ExtensionRecord?
    }

    /// What was decided about an alert.
    package struct DecisionSnapshot: Sendable, Codable {
        package var timing: String
        package var level: InterruptionLevel
        package var presentation: UInt32
        package var places: UInt8
    }
}

/// Events and waiting pushes of a device; most devices have none.
struct DeviceDetails: Codable {
    struct Held: Codable {
        var notification: UInt64
        /// In milliseconds, as it may be later than ISO 8601 can express.
        var expiresAt: Int64
    }

    /// A push that is with its service extension.
    struct Extending: Codable {
        var notification: UInt64
        var since: Int64
    }

    struct Collapsed: Codable {
        var app: String
        var identifier: String
        var notification: UInt64
    }

    // Always empty; documents have had both since their first version.
    private var apps: [String] = []
    private var extended: [String] = []
    var held: [Held] = []
    var extending: [Extending] = []
    var nextSummary: [SummaryItem] = []
    var collapsed: [Collapsed] = []
    var diary: [EventLog.Entry] = []
    var diaryDropped: UInt64 = 0

    init(_ state: DeviceState) {
        held = state.held.map { Held(notification: $0.arrival.sequence, expiresAt: $0.expiresAt.milliseconds) }
        extending = state.extending.map {
            Extending(notification: $0.arrival.sequence, since: $0.since.milliseconds)
        }
        nextSummary = state.nextSummary
        collapsed = state.collapsed.map {
            Collapsed(app: $0.key.bundleID, identifier: $0.key.identifier, notification: $0.value)
        }
        collapsed.sort { ($0.app, $0.identifier) < ($1.app, $1.identifier) }
        diary = Array(state.eventLog.entries)
        diaryDropped = state.eventLog.lastDropped
    }

    var isEmpty: Bool {
        held.isEmpty && extending.isEmpty && nextSummary.isEmpty && collapsed.isEmpty && diary.isEmpty
    }
}

/// A `PolicyContext` in a snapshot.
struct PolicyContextText: Codable, Hashable {
    var device: DeviceConditions
    var app: App
    var settings: NotificationSettings
    var assumptions: Assumptions

    var context: PolicyContext {
        PolicyContext(device: device, app: app, settings: settings, assumptions: assumptions)
    }
}

extension PolicyContextText {
    init(_ context: PolicyContext) {
        self.init(
            device: context.device, app: context.app, settings: context.settings, assumptions: context.assumptions)
    }
}

extension RegistrationStatus: Codable {
    private enum CodingKeys: CodingKey { case status, since }
    enum Word: String, Codable { case active, unregistered, expired }

    var word: Word {
        switch self {
        case .active: .active
        case .unregistered: .unregistered
        case .expired: .expired
        }
    }

    /// Since when it has not been active.
    var since: Instant? {
        switch self {
        case .active: nil
        case .unregistered(let since), .expired(let since): since
        }
    }

    init<Failure>(_ word: Word, since: () throws(Failure) -> Instant) throws(Failure) {
        switch word {
        case .active: self = .active
        case .unregistered: self = .unregistered(since: try since())
        case .expired: self = .expired(since: try since())
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(container.decode(Word.self, forKey: .status)) {
            try container.decode(Instant.self, forKey: .since)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(word, forKey: .status)
        try container.encodeIfPresent(since, forKey: .since)
    }
}

/// A push in a snapshot: itself, as it goes into a checkpoint, or its JSON form, which may be invalid.
package enum PushSnapshot: Sendable, Codable {
    case push(Push, DeviceToken)
    case document(PushDocument)

    package init(from decoder: any Decoder) throws { self = .document(try PushDocument(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try document.encode(to: encoder) }

    package var document: PushDocument {
        get {
            switch self {
            case .push(let push, let token): PushDocument(push, token: token)
            case .document(let document): document
            }
        }
        set { self = .document(newValue) }
    }

    /// The push; nil when a member of its document has no valid value.
    func push(token: DeviceToken) -> Push? {
        switch self {
        case .push(let push, _): push
        case .document(let document): document.push(token: token)
        }
    }
}

/// A push as JSON; all of it is readable except the payload.
package struct PushDocument: Sendable, Hashable, Codable {
    package struct HeaderField: Sendable, Hashable, Codable {
        /// In lower case.
        package var name: String
        package var value: String
    }

    /// The header fields in wire order, without `authorization`.
    package var headers: [HeaderField]
    /// The payload as received, which need not be text.
    package var payload: Data
    private enum CodingKeys: String, CodingKey {
        case headers, payload, environment, pushType, priority, expiration, receivedAt, connection
        case apnsID = "apnsId"
        case uniqueID = "apnsUniqueId"
    }

    /// The answer's `apns-id`, in upper case.
    package var apnsID: String
    /// The answer's `apns-unique-id`.
    package var uniqueID: String
    package var environment: APNsEnvironment
    /// nil when the header was absent.
    package var pushType: String?
    package var priority: Priority
    /// `apns-expiration` in seconds since 1970, 0 for one attempt; nil when the header was absent.
    package var expiration: Int64?
    package var receivedAt: Instant
    /// The number of the provider's connection.
    package var connection: UInt32

    init(_ push: Push, token: DeviceToken) {
        headers = push.request.fields(token: token).map { HeaderField(name: $0.name, value: $0.value) }
        payload = Data(push.payload)
        apnsID = push.apnsID.text(.upper)
        uniqueID = push.uniqueID.text(.lower)
        environment = push.environment
        pushType = push.pushType?.name
        priority = push.priority
        expiration = push.expiration.seconds
        receivedAt = push.receivedAt
        connection = push.connection
    }

    fileprivate func push(token: DeviceToken) -> Push? {
        let type = pushType.flatMap(PushType.init(name:))
        guard
            let apnsID = APNsID(Array(apnsID.utf8).span.bytes), let uniqueID = APNsID(Array(uniqueID.utf8).span.bytes),
            (pushType == nil) == (type == nil)
        else { return nil }
        let request = RequestBlock(fields: headers.map { ($0.name, $0.value) }, body: Array(payload))
        return Push.make(
            request, token: token,
            PushFacts(
                apnsID: apnsID, uniqueID: uniqueID, environment: environment, pushType: type, priority: priority,
                expiration: Expiration(seconds: expiration), receivedAt: receivedAt, connection: connection))
    }
}

extension Expiration {
    fileprivate var seconds: Int64? {
        switch self {
        case .unspecified: nil
        case .immediate: 0
        case .at(let instant): instant.milliseconds / 1000
        }
    }

    fileprivate init(seconds: Int64?) {
        switch seconds {
        case nil: self = .unspecified
        case 0: self = .immediate
        case let seconds?: self = .at(Instant(seconds: Double(seconds)))
        }
    }
}
