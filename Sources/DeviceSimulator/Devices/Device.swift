package import APNs
internal import DeviceModel

/// A device as the store keeps it.
///
/// - Note: Apart from its name, touched only under the store's lock.
final class Device {
    let name: String
    let createdAt: Instant
    private let catalog: AppCatalog
    private var currentRegistrations: [RegistrationEntry] = []
    private var currentState: DeviceState
    /// The checkpoint that knows what the device is, or was, like.
    private var checkpointNumber: UInt32
    /// What it was like when that began, until it is fetched; nil while nothing has changed since.
    private var saved: DeviceImage?
    /// The due for which the device stands in the queue.
    var queuedDue = Instant.never
    /// Whether it was deleted; pushes may still be under way to it.
    private(set) var isDeleted = false

    init(name: String, createdAt: Instant, conditions: Shared<DeviceConditions>, in catalog: AppCatalog) {
        self.name = name
        self.createdAt = createdAt
        self.catalog = catalog
        checkpointNumber = catalog.checkpointNumber
        currentState = DeviceState(conditions: conditions)
    }

    /// In the order of registering, former ones too.
    var registrations: [RegistrationEntry] {
        _read { yield currentRegistrations }
        _modify {
            willChange()
            yield &currentRegistrations
        }
    }

    /// Changes through `DeviceState.reduce` only.
    var state: DeviceState {
        _read { yield currentState }
        _modify {
            willChange()
            yield &currentState
        }
    }

    // MARK: Checkpoints

    /// Saves what the device is like for the checkpoint that is being made, unless that was done before.
    @inline(__always)
    func willChange() {
        if checkpointNumber != catalog.checkpointNumber { save() }
    }

    private func save() {
        checkpointNumber = catalog.checkpointNumber
        saved = DeviceImage(self)
    }

    /// Hands out what the device was like when the latest checkpoint began, for which it was there already. Once for each.
    func takeImage() -> DeviceImage {
        willChange()
        defer { saved = nil }
        guard let saved else { preconditionFailure("each checkpoint takes a device's image once") }
        return saved
    }

    /// Lets go of the registrations, which hold on to the device.
    func delete() {
        isDeleted = true
        for registration in registrations { registration.release() }
        registrations = []
        state = DeviceState(conditions: state.conditions)
    }

    /// Forgets everything that has happened on it; how it is set up stays.
    func startOver(in catalog: AppCatalog) {
        state.startOver(in: catalog)
    }

    /// The device as lists show it.
    var summary: DeviceSummary {
        DeviceSummary(
            name: name, createdAt: createdAt, registrations: registrations.map(\.snapshot),
            inboxCount: state.inbox.count, storedCount: state.held.count, counts: state.counts,
            eventCount: state.lastEvent)
    }
}

/// A device as lists show it.
package struct DeviceSummary: Sendable {
    /// The device's name, unique in a simulator.
    package var name: String
    package var createdAt: Instant
    /// Its tokens in the order of registering, former ones too.
    package var registrations: [Registration]
    /// Notifications that its inbox holds.
    package var inboxCount: Int
    /// Pushes that wait for it.
    package var storedCount: Int
    /// What has become of the pushes to it.
    package var counts: DeliveryCounts
    /// How many events it has had.
    package var eventCount: UInt64
}

/// What has become of pushes since the start or the last reset.
package struct DeliveryCounts: Sendable, Hashable, Codable {
    /// Pushes that came for a device.
    package var received = 0
    /// Pushes that reached the device.
    package var delivered = 0
    /// Pushes that were discarded; the inbox shows them with their reason.
    package var discarded = 0
    /// Notifications that an inbox no longer holds because it was full.
    package var dropped = 0
    /// Notifications that were cleared on request.
    package var cleared = 0

    /// Counts of nothing.
    package init() {}

    /// Adds what was counted since; what is dropped and cleared is counted where it happens.
    mutating func add(_ now: DeliveryCounts, since before: DeliveryCounts) {
        received += now.received - before.received
        delivered += now.delivered - before.delivered
        discarded += now.discarded - before.discarded
    }
}
