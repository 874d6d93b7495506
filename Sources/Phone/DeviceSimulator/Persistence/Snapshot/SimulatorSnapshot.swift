internal import APNs
package import DeviceModel
internal import FoundationEssentials
package import JSON
internal import LiveModel
internal import RequestWire
internal import SiriModel
internal import Time

/// A simulator's whole state: JSON in `GET /state`, binary in a checkpoint (`CheckpointWriter`).
package struct SimulatorSnapshot: Sendable, Codable {
    var apps: [App] = []
    var devices: [DeviceSnapshot] = []
    /// Oldest first, over all devices.
    var notifications: [NotificationSnapshot] = []
    var lastSequence: UInt64 = 0
    var counts = DeliveryCounts()
    var lastDropped: UInt64 = 0
    /// nil until the clock goes back.
    var formerPushes: FormerPushes?
    /// nil when there has never been a channel.
    var channels: ChannelTable.Image?
    /// nil when none wait.
    var shares: [ReservationShare]?
    /// The distinct policy contexts of the notifications.
    var circumstances: [PolicyInputs] = []

    /// The members that grow with the state, in the order of the JSON: lists.
    package enum LongList: String {
        case circumstances, devices, notifications
    }

    package static var empty: SimulatorSnapshot { SimulatorSnapshot() }

    package mutating func takeLists(of other: consuming SimulatorSnapshot) {
        (circumstances, devices, notifications) = (other.circumstances, other.devices, other.notifications)
    }

    /// Appends an element of a long list.
    package mutating func decode(_ list: LongList, _ index: Int, from reader: inout JSONReader) throws {
        let path: [JSONKey] = [.member(list.rawValue), .element(index)]
        switch list {
        case .circumstances: circumstances.append(try reader.decode(PolicyInputs.self, at: path, trust: .foreign))
        case .devices: devices.append(try reader.decode(DeviceSnapshot.self, at: path, trust: .foreign))
        case .notifications:
            var notification = try reader.decode(NotificationSnapshot.self, at: path, trust: .foreign)
            // A push is smaller than its document. Loading rejects a document that is no push.
            if let push = notification.push.push(token: notification.token) {
                notification.push = .push(push, notification.token)
            }
            notifications.append(notification)
        }
    }

    struct DeviceSnapshot: Codable {
        var name: String
        var createdAt: Instant
        var registrations: [RegistrationSnapshot]
        var counts: DeliveryCounts
        var lastDropped: UInt64
        /// nil for the conditions of a new device.
        var conditions: Shared<DeviceConditions>?
        /// nil while no app has state of its own.
        var apps: [AppState]?
        var eventCount: UInt64
        var lastEventAt: Instant?
        var lastLostEvent: UInt64
        var nextDue: Instant?
        /// A change due before the snapshot is loaded still takes effect.
        var nextFocusChange: Instant?
        var nextSummaryAt: Instant?
        /// Out of line, as `extension` below: a list of these grows by copying them.
        var details: Shared<DeviceDetails>?
    }

    struct RegistrationSnapshot: Codable {
        var token: DeviceToken
        var topic: String
        var environment: APNsEnvironment
        var kind: TokenKind
        var generation: Int
        var registeredAt: Instant
        var status: RegistrationStatus
        /// nil for a token of the app.
        var subject: String?
        /// nil without an event `tokenIssued`; older files have none.
        var issuedEvent: UInt64?
    }

    struct NotificationSnapshot: Codable {
        var sequence: UInt64
        /// The token it was sent to, which determines its device; nil for a local notification.
        var token: DeviceToken?
        /// The device of a local notification.
        var device: String?
        var push: PushSnapshot
        var state: DeliveryState
        var settledAt: Instant
        var receivedEvent: UInt64
        var deliveryEvent: UInt64
        var timing: Timing?
        var level: InterruptionLevel
        var presentation: Presentation
        var places: Places
        var category: String?
        /// Its policy context, as an index in the document's `circumstances`.
        var circumstances: Int
        /// Its policy context at the request to the service extension.
        var extensionCircumstances: Int?
        var `extension`: Shared<ExtensionRecord>?
    }
}

/// Events and pending pushes of a device; most devices have none.
struct DeviceDetails: Codable, Equatable {
    struct Held: Codable, Equatable {
        var notification: UInt64
        /// In milliseconds: it may be later than ISO 8601 can express.
        var expiresAt: Int64
    }

    struct Extending: Codable, Equatable {
        var notification: UInt64
        /// In milliseconds.
        var since: Int64
    }

    struct Collapsed: Codable, Equatable {
        var app: String
        var identifier: String
        var notification: UInt64
    }

    struct Shown: Codable, Equatable {
        var notification: UInt64
        /// In milliseconds.
        var at: Int64
    }

    struct Subscription: Codable, Equatable {
        var channel: ChannelKey
        var since: UInt64
        /// The number of the broadcast that is stored for the device.
        var stored: UInt64?
    }

    var held: [Held]
    var extending: [Extending]
    var nextSummary: [SummaryItem]
    var collapsed: [Collapsed]
    var events: [EventLog.Entry]
    var lastDroppedEvent: UInt64
    /// nil when there are none; older files have none.
    var shownLater: [Shown]?
    /// nil when there is nothing.
    var live: LiveState?
    /// nil when there is nothing.
    var siri: SiriState?
    /// nil when there are none.
    var subscriptions: [Subscription]?
    /// nil for 0.
    var forgottenTokenCount: UInt32?
    /// nil when there are none; older files have none.
    var uninstalled: [String]?
    /// nil when there are none; older files have none.
    var clockReturns: [DeviceState.PastClockReturn]?

    init?(_ state: DeviceState) {
        held = state.stored.map { Held(notification: $0.arrival.sequence, expiresAt: $0.expiresAt.milliseconds) }
        extending = state.extending.map { Extending(notification: $0.arrival.sequence, since: $0.since.milliseconds) }
        nextSummary = state.summary.items
        collapsed = state.collapsed.map {
            Collapsed(app: $0.key.bundleID, identifier: $0.key.identifier, notification: $0.value)
        }
        collapsed.sort { ($0.app, $0.identifier) < ($1.app, $1.identifier) }
        events = Array(state.eventLog.entries)
        lastDroppedEvent = state.eventLog.lastDropped
        let shown = state.shownLater.map { Shown(notification: $0.key, at: $0.value.milliseconds) }
        shownLater = shown.isEmpty ? nil : shown.sorted { $0.notification < $1.notification }
        live = state.live.isEmpty ? nil : state.live
        siri = state.siri.isEmpty ? nil : state.siri
        if !state.subscriptions.isEmpty {
            subscriptions = state.subscriptions.map {
                Subscription(channel: $0.channel, since: $0.since, stored: $0.stored?.number)
            }
        }
        forgottenTokenCount = state.forgottenTokenCount == 0 ? nil : state.forgottenTokenCount
        uninstalled = state.uninstalled.isEmpty ? nil : state.uninstalled
        clockReturns = state.clockReturns.isEmpty ? nil : state.clockReturns
        if held.isEmpty, extending.isEmpty, nextSummary.isEmpty, collapsed.isEmpty, events.isEmpty, shown.isEmpty,
            live == nil, siri == nil, subscriptions == nil, forgottenTokenCount == nil, uninstalled == nil,
            clockReturns == nil
        {
            return nil
        }
    }
}

/// The codable form of a `PolicyContext`.
struct PolicyInputs: Codable, Hashable {
    var device: DeviceConditions
    var app: App
    var settings: NotificationSettings
    var assumptions: Assumptions

    var context: PolicyContext { PolicyContext(device: device, app: app, settings: settings, assumptions: assumptions) }
}

extension SimulatorSnapshot {
    /// States that differ in nothing but the assumptions become equal.
    package mutating func name(_ own: Assumptions, as other: Assumptions) {
        for index in circumstances.indices where circumstances[index].assumptions == own {
            circumstances[index].assumptions = other
        }
    }
}

extension PolicyInputs {
    init(_ context: PolicyContext) {
        self.init(
            device: context.device, app: context.app, settings: context.settings, assumptions: context.assumptions)
    }
}

/// A checkpoint has the push itself; JSON has a document that may be invalid.
enum PushSnapshot: Codable {
    case push(Push, DeviceToken?)
    indirect case document(PushDocument)

    init(from decoder: any Decoder) throws { self = .document(try PushDocument(from: decoder)) }

    func encode(to encoder: any Encoder) throws { try document.encode(to: encoder) }

    var document: PushDocument {
        get {
            switch self {
            case .push(let push, let token): PushDocument(push, token: token)
            case .document(let document): document
            }
        }
        set { self = .document(newValue) }
    }

    /// nil when a member of the document is invalid.
    func push(token: DeviceToken?) -> Push? {
        switch self {
        case .push(let push, _): push
        case .document(let document): document.push(token: token)
        }
    }
}

/// A push as JSON, readable except for the payload.
struct PushDocument: Codable {
    struct HeaderField: Codable {
        /// In lower case.
        var name: String
        var value: String
    }

    /// In wire order, without `authorization`.
    var headers: [HeaderField]
    /// As received; may be binary.
    var payload: Data
    /// The `apns-id` of the answer, in upper case.
    var apnsID: String
    var uniqueID: String
    var environment: APNsEnvironment
    /// nil when the header was absent.
    var pushType: String?
    var priority: Priority
    /// `apns-expiration` in seconds since 1970, 0 for one attempt; nil when the header was absent.
    var expiration: Int64?
    var receivedAt: Instant
    var connection: UInt32

    private enum CodingKeys: String, CodingKey {
        case headers, payload, environment, pushType, priority, expiration, receivedAt, connection
        case apnsID = "apnsId"
        case uniqueID = "apnsUniqueId"
    }

    init(_ push: Push, token: DeviceToken?) {
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

    fileprivate func push(token: DeviceToken?) -> Push? {
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
