package import APNs
package import DeviceModel

/// Which notifications are asked for: those that match everything given.
package struct NotificationQuery: Sendable {
    /// The device's name.
    package var device: String?
    /// The topic of the token.
    package var topic: String?
    /// The state, whatever its reason.
    package var state: DeliveryState.Kind?
    /// When it made itself felt.
    package var timing: Timing?
    package var pushType: PushType?
    /// A text in title, subtitle, body or the payload as it was sent, in either case.
    package var text: String?
    /// The `apns-id`.
    package var apnsID: APNsID?
    /// The `apns-unique-id`.
    package var uniqueID: APNsID?
    /// A cursor: only what came after it. 0 is before everything.
    package var since: UInt64
    /// How many at most, 1 or more.
    package var limit: Int

    /// Asks for what matches; for everything when nothing is given.
    package init(
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
package struct NotificationPage: Sendable {
    package var items: [Notification] = []
    /// The cursor to go on with.
    package var next: UInt64
    /// Whether more may follow at once; false when the newest has been looked at.
    package var hasMore = false
    /// How many notifications of the device asked for, or of all, were ever dropped because an inbox was full.
    package var droppedCount = 0
    /// Whether some of those came after the cursor asked with: they are missing here.
    package var hasGap = false
}
