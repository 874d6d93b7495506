public import DeviceModel

/// Which events of a device are asked for.
public struct EventQuery: Sendable {
    /// The device's name.
    public var device: String
    /// Only these kinds; empty for all.
    public var kinds: [DeviceEvent.Kind]
    /// Only those about this notification.
    public var notification: UInt64?
    /// A cursor: only events with greater numbers. 0 is before everything.
    public var since: UInt64
    /// How many at most, 1 or more.
    public var limit: Int

    /// Asks for everything that matches.
    public init(
        device: String, kinds: [DeviceEvent.Kind] = [], notification: UInt64? = nil, since: UInt64 = 0, limit: Int = 100
    ) {
        self.device = device
        self.kinds = kinds
        self.notification = notification
        self.since = since
        self.limit = max(1, limit)
    }
}

/// Some of a device's events, oldest first.
public struct EventPage: Sendable {
    /// The events.
    public var events: [DeviceEvent] = []
    /// The cursor to go on with.
    public var next: UInt64
    /// Whether more may follow at once.
    public var hasMore = false
    /// Whether events after the cursor asked with are no longer kept.
    public var hasGap = false
}
