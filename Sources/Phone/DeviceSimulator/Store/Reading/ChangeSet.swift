internal import Synchronization

/// The changes since a follower's previous call, besides new notifications, which have greater numbers. Recorded only
/// while there is a follower.
package struct ChangeSet: Sendable {
    package struct Removed: Sendable, Hashable {
        package let number: UInt64
        package let device: String
        package let topic: String
    }

    /// How many notifications, removals and devices are recorded each.
    package static let capacity = 1024

    /// The newest notification when recording began. Later ones are new.
    package let since: UInt64
    /// The newest notification when recording ended.
    package fileprivate(set) var last: UInt64
    /// Whether more notifications changed than are recorded, or the whole state did.
    package private(set) var isIncomplete = false
    /// Existing notifications whose state, timing, places or texts changed; some may be removed by now.
    package private(set) var changed: Set<UInt64> = []
    /// Cleared or evicted, in this order.
    package private(set) var removed: [Removed] = []
    package private(set) var hasMoreRemoved = false
    /// Devices created or changed by anything except a push.
    package private(set) var devices: Set<String> = []
    package private(set) var deletedDevices: Set<String> = []
    package private(set) var hasMoreDevices = false

    init(since: UInt64) { (self.since, last) = (since, since) }

    /// Ignores a new notification.
    mutating func change(_ number: UInt64) {
        if number <= since { Self.insert(number, in: &changed, else: &isIncomplete) }
    }

    mutating func remove(_ entry: LogEntry) {
        guard let registration = entry.registration else { return }
        guard removed.count < Self.capacity else {
            hasMoreRemoved = true
            return
        }
        removed.append(
            Removed(number: entry.sequence, device: registration.device.name, topic: registration.topic))
    }

    mutating func change(device: String) {
        deletedDevices.remove(device)
        Self.insert(device, in: &devices, else: &hasMoreDevices)
    }

    mutating func delete(device: String) {
        devices.remove(device)
        Self.insert(device, in: &deletedDevices, else: &hasMoreDevices)
    }

    private static func insert<Element>(_ element: Element, in set: inout Set<Element>, else isFull: inout Bool) {
        if set.count < capacity || set.contains(element) { set.insert(element) } else { isFull = true }
    }

    mutating func replaceState() { isIncomplete = true }
}

extension DeviceSimulator {
    /// Starts recording for one follower.
    /// - Returns: The newest notification.
    package func recordChanges() -> UInt64 {
        store.withLock { store in
            store.changes = ChangeSet(since: store.lastSequence)
            return store.lastSequence
        }
    }

    /// The changes since the previous call; nil while none are recorded.
    package func takeChanges() -> ChangeSet? {
        store.withLock { store in
            guard var taken = store.changes else { return nil }
            taken.last = store.lastSequence
            store.changes = ChangeSet(since: store.lastSequence)
            return taken
        }
    }

    package func ignoreChanges() {
        // Released outside the lock.
        _ = store.withLock { $0.changes.take() }
    }

    /// The existing ones among the given notifications, in the given order.
    package func notifications(_ numbers: [UInt64]) -> [Notification] {
        stride(from: 0, to: numbers.count, by: Self.lookUpBatch).flatMap { start in
            let batch = numbers[start..<min(numbers.count, start + Self.lookUpBatch)]
            return store.withLock { store in
                batch.compactMap { number in store.log[number].flatMap(Notification.init) }
            }
        }
    }

    private static let lookUpBatch = 128
}
