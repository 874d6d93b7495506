public import APNs

/// A device as the store keeps it.
///
/// - Note: Apart from its name, touched only under the store's lock.
final class Device {
    let name: String
    let createdAt: Instant
    /// In the order of registering, former ones too.
    var registrations: [RegistrationEntry] = []
    /// Changes through `DeviceState.reduce` only.
    var state = DeviceState()

    init(name: String, createdAt: Instant) {
        self.name = name
        self.createdAt = createdAt
    }

    /// Lets go of the registrations, which hold on to the device.
    func delete() {
        _ = state.reduce(.deleted)
        registrations = []
    }

    /// The device as lists show it.
    var summary: DeviceSummary {
        DeviceSummary(
            name: name, createdAt: createdAt, registrations: registrations.map(\.snapshot),
            inboxCount: state.inbox.count,
            counts: state.counts)
    }
}

/// A device as lists show it.
public struct DeviceSummary: Sendable {
    /// The device's name, unique in a simulator.
    public var name: String
    /// When it was made.
    public var createdAt: Instant
    /// Its tokens in the order of registering, former ones too.
    public var registrations: [Registration]
    /// Notifications that its inbox holds.
    public var inboxCount: Int
    /// What has become of the pushes to it.
    public var counts: DeliveryCounts
}

/// What has become of pushes since the start or the last reset.
public struct DeliveryCounts: Sendable, Hashable, Codable {
    /// Pushes that a device received and kept.
    public var delivered = 0
    /// Pushes that a device discarded; the inbox shows them with their reason.
    public var discarded = 0
    /// Notifications that an inbox no longer holds because it was full.
    public var dropped = 0
    /// Notifications that were cleared on request.
    public var cleared = 0

    /// Pushes received in all.
    public var received: Int { delivered + discarded }

    /// Counts of nothing.
    public init() {}
}
