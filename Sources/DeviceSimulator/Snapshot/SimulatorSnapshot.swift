package import APNs
package import DeviceModel

/// Everything a simulator holds, to be saved and put back.
package struct SimulatorSnapshot: Sendable, Codable {
    /// The apps, by bundle identifier.
    package var apps: [App] = []
    /// The devices, by name.
    package var devices: [DeviceSnapshot] = []
    /// The notifications of all devices, oldest first.
    package var notifications: [NotificationSnapshot] = []
    /// The number of the newest notification ever received.
    package var lastSequence: UInt64 = 0
    /// What has become of all pushes.
    package var counts = DeliveryCounts()
    /// The newest notification that was dropped.
    package var lastDropped: UInt64 = 0
    /// What surrounded the notifications, each once; nil in documents of earlier builds.
    var circumstances: [PolicyContextText]?

    package struct DeviceSnapshot: Sendable, Codable {
        package var name: String
        package var createdAt: Instant
        /// Its tokens, in the order of registering.
        package var registrations: [RegistrationSnapshot]
        /// What has become of the pushes to it.
        package var counts: DeliveryCounts
        /// The newest notification that was dropped.
        package var lastDropped: UInt64
        /// What it is like; nil while nobody has changed it.
        package var conditions: DeviceConditions?
        /// The apps about which there is something to remember.
        package var apps: [AppSnapshot]?
        /// How many events it has had.
        package var eventCount: UInt64?
        /// When the newest event happened; nil when there is none.
        package var lastEventAt: Instant?
        /// The newest event of a notification that is gone; nil in documents of earlier builds.
        package var lastLostEvent: UInt64?
        /// When something happens by itself next; nil for never.
        package var nextDue: Instant?
        /// When a schedule switches its Focus next; what was missed until it is loaded is made up for.
        package var nextFocusChange: Instant?
        /// When the next summary comes; nil when none waits for one.
        package var nextSummaryAt: Instant?
        /// Its events and what waits for it, coded as in a journal's checkpoint, without what stands elsewhere in the document.
        var details: DeviceDetails?
    }

    package struct AppSnapshot: Sendable, Codable {
        /// The bundle identifier.
        package var bundleID: String
        /// Its settings; nil while nobody has changed them.
        package var settings: NotificationSettings?
        /// The number on the icon.
        package var badge: Int
        /// Whether the system has explained Time Sensitive notifications.
        package var isTimeSensitiveIntroduced: Bool
        /// Whether the system has asked about quiet notifications.
        package var isProvisionalIntroduced: Bool
        /// Whether the person ended it.
        package var isTerminated: Bool
        /// What the system asked the person about it and got no answer to yet.
        package var prompt: Prompt?
        /// When the system last explained or reviewed Time Sensitive notifications.
        package var timeSensitiveReviewedAt: Instant?
        /// When background pushes woke it, within the last hour.
        package var backgroundWakes: [Instant]?
        /// The day, counted from 1970 in UTC, of `complicationCount`.
        package var complicationDay: Int64?
        /// Complication pushes on `complicationDay`.
        package var complicationCount: Int?
        /// When an App Clip may no longer notify.
        package var ephemeralUntil: Instant?
        /// Who called last through the app.
        package var lastCaller: String?
        package var lastCallAt: Instant?
        /// The categories that it registered on the device; nil while its developer's hold.
        package var categories: [NotificationCategory]?

        private enum CodingKeys: String, CodingKey {
            case bundleID = "bundleId"
            case settings, badge, isTimeSensitiveIntroduced, isProvisionalIntroduced, isTerminated, prompt
            case timeSensitiveReviewedAt, backgroundWakes, complicationDay, complicationCount, ephemeralUntil
            case lastCaller, lastCallAt, categories
        }
    }

    /// A token in a snapshot.
    package struct RegistrationSnapshot: Sendable, Codable {
        package var token: DeviceToken
        /// The topic it is good for.
        package var topic: String
        /// The environment it is good for.
        package var environment: APNsEnvironment
        /// What it is used for.
        package var kind: TokenKind
        /// How many registrations of the same kind went before.
        package var generation: Int
        /// When the app registered.
        package var registeredAt: Instant
        /// Whether it can be pushed to.
        package var status: RegistrationStatus
    }

    package struct NotificationSnapshot: Sendable, Codable {
        /// Its number.
        package var sequence: UInt64
        /// The token it came by, which says whose it is.
        package var token: DeviceToken
        /// What the provider sent.
        package var push: PushSnapshot
        /// How far it has come.
        package var state: DeliveryState
        /// When it came there.
        package var settledAt: Instant
        /// The number of its event `received`; nil in documents of earlier builds.
        package var receivedEvent: UInt64?
        /// The number of the first event of its delivery; nil before.
        package var deliveryEvent: UInt64?
        /// What was decided, if it is a delivered alert.
        package var decision: DecisionSnapshot?
        /// Bits of what it did without a decision, such as waking its app.
        package var places: UInt8?
        /// The category it was delivered with.
        package var category: String?
        /// What surrounded the decision: the place in the document's `circumstances`.
        package var circumstances: Int?
        /// What surrounded it when it went to its service extension: the place in the document's `circumstances`.
        package var extensionCircumstances: Int?
        /// What its service extension did.
        package var `extension`: ExtensionRecord?
    }

    /// What was decided about an alert.
    package struct DecisionSnapshot: Sendable, Codable {
        /// When it made itself felt.
        package var timing: String
        /// The level in effect.
        package var level: InterruptionLevel
        /// What it did, as bits.
        package var presentation: UInt32
        /// Where it can be seen, as bits.
        package var places: UInt8
    }
}

extension RegistrationStatus: Codable {
    private enum CodingKeys: CodingKey { case status, since }
    private enum Word: String, Codable { case active, unregistered, expired }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Word.self, forKey: .status) {
        case .active: self = .active
        case .unregistered: self = .unregistered(since: try container.decode(Instant.self, forKey: .since))
        case .expired: self = .expired(since: try container.decode(Instant.self, forKey: .since))
        }
    }

    package func encode(to encoder: any Encoder) throws {
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
