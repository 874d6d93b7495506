package import APNs
package import DeviceModel

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
        diary = Array(state.diary.entries)
        diaryDropped = state.diary.lastDropped
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
