package import DeviceModel

/// Which events of a device are asked for.
package struct EventQuery: Sendable {
    /// The device's name.
    package var device: String
    /// Only these kinds; empty for all.
    package var kinds: [DeviceEvent.Kind]
    /// Only those about this notification.
    package var notification: UInt64?
    /// A cursor: only events with greater numbers. 0 is before everything.
    package var since: UInt64
    /// How many at most, 1 or more.
    package var limit: Int

    /// Asks for everything that matches.
    package init(
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
package struct EventPage: Sendable {
    package var events: [DeviceEvent] = []
    /// The cursor to go on with.
    package var next: UInt64
    /// Whether more may follow at once.
    package var hasMore = false
    /// Whether events after the cursor asked with are no longer kept.
    package var hasGap = false
}
