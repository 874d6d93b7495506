public import APNs
public import DeviceModel

/// Which notifications are asked for: those that match everything given.
public struct NotificationQuery: Sendable {
    /// The device's name.
    public var device: String?
    /// The topic of the token.
    public var topic: String?
    /// The state, whatever its reason.
    public var state: DeliveryState.Kind?
    /// When it made itself felt.
    public var timing: Timing?
    /// The push type.
    public var pushType: PushType?
    /// A text in title, subtitle, body or the payload as it was sent, in either case.
    public var text: String?
    /// The `apns-id`.
    public var apnsID: APNsID?
    /// The `apns-unique-id`.
    public var uniqueID: APNsID?
    /// A cursor: only what came after it. 0 is before everything.
    public var since: UInt64
    /// How many at most, 1 or more.
    public var limit: Int

    /// Asks for what matches; for everything when nothing is given.
    public init(
        device: String? = nil, topic: String? = nil, state: DeliveryState.Kind? = nil, timing: Timing? = nil,
        pushType: PushType? = nil, text: String? = nil, apnsID: APNsID? = nil, uniqueID: APNsID? = nil,
        since: UInt64 = 0, limit: Int = 100
    ) {
        self.device = device
        self.topic = topic
        self.state = state
        self.timing = timing
        self.pushType = pushType
        self.text = text
        self.apnsID = apnsID
        self.uniqueID = uniqueID
        self.since = since
        self.limit = max(1, limit)
    }

    /// Everything but the text and the device, which is cheap to tell.
    func matches(_ entry: LogEntry) -> Bool {
        guard let push = entry.push, let registration = entry.registration else { return false }
        if let topic, topic != registration.topic { return false }
        if let pushType, pushType != push.pushType { return false }
        if let apnsID, apnsID != push.apnsID { return false }
        if let uniqueID, uniqueID != push.uniqueID { return false }
        return true
    }

    /// Whether it has come as far, and was felt, as asked for.
    func stateMatches(_ notification: Notification) -> Bool {
        if let state, state != notification.state.kind { return false }
        if let timing, timing != notification.outcome?.timing { return false }
        return true
    }

    /// Whether what matches now may have been there before without matching.
    var dependsOnState: Bool { state != nil || timing != nil }

    /// Whether the text occurs.
    func textMatches(_ notification: Notification) -> Bool {
        guard let text, !text.isEmpty else { return true }
        let needle = text.lowercased()
        let content = notification.decoded.content
        let payload = String(decoding: notification.push.payload, as: UTF8.self)
        return [content.title, content.subtitle, content.body, payload].contains { $0.lowercased().contains(needle) }
    }
}

/// Some of the notifications that match, oldest first.
public struct NotificationPage: Sendable {
    /// The notifications.
    public var items: [Notification] = []
    /// The cursor to go on with.
    public var next: UInt64
    /// Whether more may follow at once; false when the newest has been looked at.
    public var hasMore = false
    /// How many notifications of the device asked for, or of all, were ever dropped because an inbox was full.
    public var droppedCount = 0
    /// Whether some of those came after the cursor asked with: they are missing here.
    public var hasGap = false
}
