internal import APNs
package import DeviceModel
internal import LiveModel
internal import SiriModel
internal import Synchronization
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
    /// How many devices the store had deleted; distinguishes it from a former device of its name.
    fileprivate let deletedBefore: UInt32
    /// The device as of that checkpoint; nil when it is unchanged or was collected.
    private var saved: DeviceImage?
    /// The device's due time in `SimulatorState.dues`.
    var queuedDue = Instant.never
    private var isRemoved = false

    init(
        name: String, createdAt: Instant, conditions: Shared<DeviceConditions>, deletedBefore: UInt32 = 0,
        _ checkpoints: CheckpointNumber
    ) {
        self.name = name
        self.createdAt = createdAt
        self.deletedBefore = deletedBefore
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

/// A device until it is deleted or a state is loaded. Equal event numbers of two lives are different events.
package struct DeviceLife: Hashable, Sendable {
    package var generation: UInt64 = 0
    package var deletedBefore: UInt32 = 0

    package init() {}
}

extension DeviceSimulator {
    /// - Parameter name: may be unknown.
    package func life(of name: String) -> DeviceLife { store.withLock { $0.life(of: name) } }
}

extension SimulatorState {
    func life(of name: String) -> DeviceLife {
        var life = DeviceLife()
        life.generation = generation
        life.deletedBefore = devices[name]?.deletedBefore ?? deletedCount
        return life
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

/// Which apps are on a device.
extension Device {
    /// The apps with state of their own or with a token, by name. An app that has unregistered is still there.
    ///
    /// - Parameter isKnown: Whether an app counts that was uninstalled, but whose tokens the device still knows.
    func appNames(isKnown: Bool = false) -> [String] {
        let names = Set(registrations.map(\.bundleID)).union(state.apps.map(\.bundleID))
        return (isKnown ? names : names.subtracting(state.uninstalled)).sorted()
    }

    /// Whether an app is on the device. Apple's own always are, and a declared one until it is uninstalled: not every app
    /// registers.
    ///
    /// - Parameter isActing: Whether the app itself does something, so it is there unless it was uninstalled.
    func has(_ bundleID: String, isDeclared: Bool, isActing: Bool) -> Bool {
        if bundleID.hasPrefix("com.apple.") { return true }
        if state.uninstalled.contains(bundleID) { return false }
        return isActing || isDeclared || appNames().contains(bundleID)
            || state.inbox.indices.contains { state.inbox[$0].bundleID == bundleID && state.inbox[$0].places.isPresent }
            || state.live.has(bundleID) || state.siri.has(bundleID)
    }

    /// Whether another token than this one keeps its app on the device when it is removed.
    func keepsApp(without token: RegistrationEntry) -> Bool {
        registrations.contains { other in
            other !== token && other.bundleID == token.bundleID && other.kind == .app && other.status == .active
        }
    }
}

extension DeviceSimulator {
    /// The apps that the device knows; none for an unknown device.
    package func appsOnDevice(_ device: String) -> [AppOnDevice] {
        store.withLock { store in store.devices[device].map(store.apps) ?? [] }
    }
}

extension SimulatorState {
    func apps(on device: Device) -> [AppOnDevice] {
        device.appNames(isKnown: true).map { AppOnDevice($0, device.state, catalog) }
    }
}

package struct AppOnDevice: Sendable {
    /// Includes its categories on the device.
    package var app: App
    package var settings: NotificationSettings
    package var hasOwnSettings: Bool
    package var hasOwnCategories: Bool
    package var badge: Int
    package var prompt: Prompt?
    package var isTerminated: Bool

    init(_ bundleID: String, _ state: DeviceState, _ catalog: AppCatalog) {
        let known = state.app(bundleID)
        app = catalog.app(bundleID, on: state)
        hasOwnCategories = known?.categories != nil
        settings = known?.settings?.value ?? app.settings
        hasOwnSettings = known?.settings != nil
        badge = known?.badge ?? 0
        prompt = known?.prompt
        isTerminated = known?.isTerminated ?? false
    }
}
