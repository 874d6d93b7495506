public import APNs
public import DeviceModel

/// Everything a simulator holds, to be saved and put back.
public struct SimulatorSnapshot: Sendable, Codable {
    /// The apps, by bundle identifier.
    public var apps: [App] = []
    /// The devices, by name.
    public var devices: [DeviceSnapshot] = []
    /// The notifications of all devices, oldest first.
    public var notifications: [NotificationSnapshot] = []
    /// The number of the newest notification ever received.
    public var lastSequence: UInt64 = 0
    /// What has become of all pushes.
    public var counts = DeliveryCounts()
    /// The newest notification that was dropped.
    public var lastDropped: UInt64 = 0
    /// What surrounded the notifications, each once; nil in documents of earlier builds.
    var circumstances: [CircumstancesText]?

    /// A device in a snapshot.
    public struct DeviceSnapshot: Sendable, Codable {
        /// The device's name.
        public var name: String
        /// When it was made.
        public var createdAt: Instant
        /// Its tokens, in the order of registering.
        public var registrations: [RegistrationSnapshot]
        /// What has become of the pushes to it.
        public var counts: DeliveryCounts
        /// The newest notification that was dropped.
        public var lastDropped: UInt64
        /// What it is like; nil while nobody has changed it.
        public var conditions: DeviceConditions?
        /// The apps about which there is something to remember.
        public var apps: [AppSnapshot]?
        /// How many events it has had.
        public var eventCount: UInt64?
        /// When the newest event happened; nil when there is none.
        public var lastEventAt: Instant?
        /// The newest event of a notification that is gone; nil in documents of earlier builds.
        public var lastLostEvent: UInt64?
        /// When something happens by itself next; nil for never.
        public var nextDue: Instant?
        /// When a schedule switches its Focus next; what was missed until it is loaded is made up for.
        public var nextFocusChange: Instant?
        /// When the next summary comes; nil when none waits for one.
        public var nextSummaryAt: Instant?
        /// Its events and what waits for it, coded as in a journal's checkpoint, without what stands elsewhere in the document.
        var details: DeviceDetails?
    }

    /// An app of a device in a snapshot.
    public struct AppSnapshot: Sendable, Codable {
        /// The bundle identifier.
        public var bundleID: String
        /// Its settings; nil while nobody has changed them.
        public var settings: NotificationSettings?
        /// The number on the icon.
        public var badge: Int
        /// Whether the system has explained Time Sensitive notifications.
        public var isTimeSensitiveIntroduced: Bool
        /// Whether the system has asked about quiet notifications.
        public var isProvisionalIntroduced: Bool
        /// Whether the person ended it.
        public var isTerminated: Bool
        /// What the system asked the person about it and got no answer to yet.
        public var prompt: Prompt?
        /// When the system last explained or reviewed Time Sensitive notifications.
        public var timeSensitiveReviewedAt: Instant?
        /// When background pushes woke it, within the last hour.
        public var backgroundWakes: [Instant]?
        /// The day, counted from 1970 in UTC, of `complicationCount`.
        public var complicationDay: Int64?
        /// Complication pushes on `complicationDay`.
        public var complicationCount: Int?
        /// When an App Clip may no longer notify.
        public var ephemeralUntil: Instant?
        /// Who called last through the app.
        public var lastCaller: String?
        /// When that was.
        public var lastCallAt: Instant?
        /// The categories that it registered on the device; nil while its developer's hold.
        public var categories: [NotificationCategory]?

        private enum CodingKeys: String, CodingKey {
            case bundleID = "bundleId"
            case settings, badge, isTimeSensitiveIntroduced, isProvisionalIntroduced, isTerminated, prompt
            case timeSensitiveReviewedAt, backgroundWakes, complicationDay, complicationCount, ephemeralUntil
            case lastCaller, lastCallAt, categories
        }
    }

    /// A token in a snapshot.
    public struct RegistrationSnapshot: Sendable, Codable {
        /// The token.
        public var token: DeviceToken
        /// The topic it is good for.
        public var topic: String
        /// The environment it is good for.
        public var environment: APNsEnvironment
        /// What it is used for.
        public var kind: TokenKind
        /// How many registrations of the same kind went before.
        public var generation: Int
        /// When the app registered.
        public var registeredAt: Instant
        /// Whether it can be pushed to.
        public var status: RegistrationStatus
    }

    /// A notification in a snapshot.
    public struct NotificationSnapshot: Sendable, Codable {
        /// Its number.
        public var sequence: UInt64
        /// The token it came by, which says whose it is.
        public var token: DeviceToken
        /// What the provider sent.
        public var push: PushSnapshot
        /// How far it has come.
        public var state: DeliveryState
        /// When it came there.
        public var settledAt: Instant
        /// The number of its event `received`; nil in documents of earlier builds.
        public var receivedEvent: UInt64?
        /// The number of the first event of its delivery; nil before.
        public var deliveryEvent: UInt64?
        /// What was decided, if it is a delivered alert.
        public var decision: DecisionSnapshot?
        /// Bits of what it did without a decision, such as waking its app.
        public var places: UInt8?
        /// The category it was delivered with.
        public var category: String?
        /// What surrounded the decision: the place in the document's `circumstances`.
        public var circumstances: Int?
        /// What surrounded it when it went to its service extension: the place in the document's `circumstances`.
        public var extensionCircumstances: Int?
        /// What its service extension did.
        public var `extension`: ExtensionRecord?
    }

    /// What was decided about an alert.
    public struct DecisionSnapshot: Sendable, Codable {
        /// When it made itself felt.
        public var timing: String
        /// The level in effect.
        public var level: InterruptionLevel
        /// What it did, as bits.
        public var presentation: UInt32
        /// Where it can be seen, as bits.
        public var places: UInt8
    }
}

extension RegistrationStatus: Codable {
    private enum CodingKeys: CodingKey { case status, since }
    private enum Word: String, Codable { case active, unregistered, expired }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Word.self, forKey: .status) {
        case .active: self = .active
        case .unregistered: self = .unregistered(since: try container.decode(Instant.self, forKey: .since))
        case .expired: self = .expired(since: try container.decode(Instant.self, forKey: .since))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .active: try container.encode(Word.active, forKey: .status)
        case .unregistered(let since):
            try container.encode(Word.unregistered, forKey: .status)
            try container.encode(since, forKey: .since)
        case .expired(let since):
            try container.encode(Word.expired, forKey: .status)
            try container.encode(since, forKey: .since)
        }
    }
}
