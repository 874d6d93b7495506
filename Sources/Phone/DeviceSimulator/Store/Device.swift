internal import DeviceModel
package import Time

/// A device in the store. The store's lock guards everything except the name.
final class Device {
    let name: String
    let createdAt: Instant
    private let checkpoints: CheckpointNumber
    private var currentRegistrations: [RegistrationEntry] = []
    /// Of apps with local notifications; no part of the state, which names the apps. Cycles like the registrations.
    private var localEntries: [RegistrationEntry] = []
    private var currentState: DeviceState
    /// The last checkpoint for which the device was saved, or the one before it began.
    private var checkpointNumber: UInt32
    /// The device as of that checkpoint; nil when it is unchanged or was collected.
    private var saved: DeviceImage?
    /// The device's due time in `SimulatorState.dues`.
    var queuedDue = Instant.never
    private var isRemoved = false

    init(name: String, createdAt: Instant, conditions: Shared<DeviceConditions>, _ checkpoints: CheckpointNumber) {
        self.name = name
        self.createdAt = createdAt
        self.checkpoints = checkpoints
        checkpointNumber = checkpoints.latest
        currentState = DeviceState(conditions: conditions)
    }

    /// Stands for an app in the log of its local notifications. No push can be sent to it.
    func localEntry(of bundleID: String) -> RegistrationEntry {
        if let entry = localEntries.first(where: { $0.bundleID == bundleID }) { return entry }
        let entry = RegistrationEntry(local: bundleID, on: self)
        localEntries.append(entry)
        return entry
    }

    /// Includes unregistered ones, in the order of registration.
    var registrations: [RegistrationEntry] {
        get { currentRegistrations }
        _modify {
            willChange()
            yield &currentRegistrations
        }
    }

    var state: DeviceState {
        get { currentState }
        _modify {
            willChange()
            yield &currentState
        }
    }

    /// Pushes may still be in flight to a deleted device, or to one of a store that another one replaced.
    var isDeleted: Bool { isRemoved || checkpoints.isReplaced }

    // MARK: Checkpoints

    @inline(__always)
    func willChange() {
        if checkpointNumber != checkpoints.latest { save() }
    }

    private func save() {
        checkpointNumber = checkpoints.latest
        saved = DeviceImage(self)
    }

    /// The device as of the latest checkpoint. Call it at most once per checkpoint.
    func takeImage() -> DeviceImage {
        willChange()
        defer { saved = nil }
        guard let saved else { preconditionFailure("each checkpoint takes a device's image once") }
        return saved
    }

    /// Breaks the reference cycles with the registrations.
    func delete() {
        isRemoved = true
        registrations = []
        localEntries = []
        state = DeviceState(conditions: state.conditions)
    }

    var summary: DeviceSummary {
        DeviceSummary(
            name: name, createdAt: createdAt, registrations: registrations.map(\.snapshot),
            inboxCount: state.inbox.count, storedCount: state.stored.count, counts: state.counts,
            eventCount: state.lastEvent, forgottenTokenCount: Int(state.forgottenTokenCount))
    }
}

/// All devices of a store share it. A device saves itself for the latest checkpoint before it changes.
final class CheckpointNumber {
    private(set) var latest: UInt32 = 0
    /// Whether another store replaced the one of these devices.
    var isReplaced = false

    func begin() { latest &+= 1 }
}

package struct DeviceSummary: Sendable {
    package var name: String
    package var createdAt: Instant
    package var registrations: [Registration]
    package var inboxCount: Int
    package var storedCount: Int
    package var counts: DeliveryCounts
    package var eventCount: UInt64
    /// Former tokens that are unknown now.
    package var forgottenTokenCount: Int
}

/// Pushes since the start or the last reset.
package struct DeliveryCounts: Sendable, Hashable, Codable {
    package var received = 0
    package var delivered = 0
    package var discarded = 0
    /// Evicted from a full inbox.
    package var dropped = 0
    /// Deleted on request.
    package var cleared = 0

    /// Adds a device's new counts, except those that the store itself increments.
    mutating func add(_ now: DeliveryCounts, since before: DeliveryCounts) {
        received += now.received - before.received
        delivered += now.delivered - before.delivered
        discarded += now.discarded - before.discarded
    }
}

package enum DeviceName {
    package static let maximumByteCount = 128
    package static let rule = "1 to \(maximumByteCount) bytes without '/' and control characters"

    package static func isValid(_ name: String) -> Bool {
        (1...maximumByteCount).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    }
}

/// Each person's devices, in the order of their creation.
struct PersonIndex {
    private var lists: [String: SubscriberList] = [:]

    init() {}

    /// Sorts each list once: adding devices in any order would move most of the others each time.
    init(_ devices: some Sequence<Device>) {
        var people: [String: [Device]] = [:]
        for device in devices {
            if let person = device.state.conditions.value.person { people[person, default: []].append(device) }
        }
        lists = people.mapValues { SubscriberList($0) }
    }

    func devices(of person: String) -> [String] { lists[person]?.devices.map(\.name) ?? [] }

    func count(of person: String) -> Int { lists[person]?.devices.count ?? 0 }

    func next(_ limit: Int, of person: String, after position: DevicePosition?) -> [Device] {
        lists[person].map { Array($0.next(limit, after: position)) } ?? []
    }

    /// Adds a device that is new, or whose person may have changed.
    mutating func change(_ device: Device, from former: String?) {
        let person = device.state.conditions.value.person
        guard person != former else { return }
        remove(device, from: former)
        if let person { lists[person, default: SubscriberList()].insert(device) }
    }

    mutating func remove(_ device: Device) { remove(device, from: device.state.conditions.value.person) }

    private mutating func remove(_ device: Device, from person: String?) {
        guard let person else { return }
        lists[person]?.remove(device)
        if lists[person]?.devices.isEmpty == true { lists[person] = nil }
    }
}

/// Sharded, so that the first insertion while a checkpoint holds a copy copies one shard, and no insertion
/// rehashes all devices.
struct DeviceTable {
    static let shardCount = 256

    private var shards = [[String: Device]](repeating: [:], count: shardCount)
    private(set) var count = 0

    private static func shard(of name: String) -> Int { Int(truncatingIfNeeded: name.hashValue) & (shardCount - 1) }

    subscript(name: String) -> Device? { shards[Self.shard(of: name)][name] }

    mutating func insert(_ device: Device) {
        shards[Self.shard(of: device.name)][device.name] = device
        count += 1
    }

    mutating func remove(_ name: String) -> Device? {
        guard let device = shards[Self.shard(of: name)].removeValue(forKey: name) else { return nil }
        count -= 1
        return device
    }

    var values: some Sequence<Device> { shards.lazy.map(\.values).joined() }

    func names(inShard shard: Int, where isWanted: @Sendable (Device) -> Bool) -> [String] {
        shards[shard].values.filter(isWanted).map(\.name)
    }
}
