public import APNs
public import DeviceModel

/// A push in a device's inbox.
public struct Notification: Sendable {
    /// Its number, greater than those of all notifications received before, on whatever device.
    public let sequence: UInt64
    /// What the provider sent.
    public let push: Push
    /// The token it came by; the status is that of the time of asking.
    public let registration: Registration
    /// How far it has come.
    public let state: DeliveryState
    /// When it came there.
    public let settledAt: Instant

    init?(_ entry: LogEntry) {
        guard let push = entry.push, let registration = entry.registration else { return nil }
        sequence = entry.sequence
        self.push = push
        self.registration = registration.snapshot
        state = entry.state
        settledAt = Instant(milliseconds: push.receivedAt.milliseconds + Int64(entry.settleDelay))
    }

    /// The device's name.
    public var device: String { registration.device }

    /// The payload as the device understands it; decoded anew each time.
    public var decoded: DecodedPayload { DecodedPayload(push.payload.span.bytes) }

    /// What happened to it, in order.
    public var timeline: [TimelineEntry] {
        [TimelineEntry(state: .accepted, at: push.receivedAt), TimelineEntry(state: state, at: settledAt)]
    }
}

/// A step of a push on its way to the person.
public struct TimelineEntry: Sendable, Hashable {
    /// What it came to.
    public var state: DeliveryState
    /// When.
    public var at: Instant
}
