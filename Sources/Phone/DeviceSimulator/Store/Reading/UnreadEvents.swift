package import DeviceModel
internal import Synchronization

/// Devices with events that a follower has not read; tracked only while there is a follower.
package struct UnreadEvents: Sendable {
    /// The newest event before the first unread one, by device.
    fileprivate private(set) var before: [String: UInt64] = [:]
    /// A loaded state has other events.
    package let generation: UInt64

    init(generation: UInt64) { self.generation = generation }

    package var devices: [String] { Array(before.keys) }

    mutating func mark(_ device: String, after event: UInt64) {
        if before[device] == nil { before[device] = event }
    }

    mutating func forget(_ device: String) -> UInt64? { before.removeValue(forKey: device) }
}

extension DeviceSimulator {
    /// Begins or ends recording for one follower; only later events are unread.
    package func followEvents(_ isFollowed: Bool) {
        store.withLock { store in
            if !isFollowed {
                store.unread = nil
            } else if store.unread == nil {
                store.unread = UnreadEvents(generation: store.generation)
            }
        }
    }

    /// The devices with unread events since the last call.
    package func takeUnread() -> UnreadEvents {
        store.withLock { store in
            let fresh = UnreadEvents(generation: store.generation)
            guard let unread = store.unread else { return fresh }
            store.unread = fresh
            return unread
        }
    }

    /// The device's unread events, which are read then.
    package func readEvents(of device: String, in unread: UnreadEvents) -> (events: [DeviceEvent], life: DeviceLife) {
        let (records, since, life) = store.withLock { store -> ([EventRecord], UInt64, DeviceLife) in
            let life = store.life(of: device)
            guard unread.generation == store.generation, var since = unread.before[device] else { return ([], 0, life) }
            // A device that was deleted and created again begins at 0.
            if let again = store.unread?.forget(device) { since = min(since, again) }
            return (store.eventRecords(EventQuery(device: device, since: since)), since, life)
        }
        return (records.flatMap(\.events).filter { $0.number > since }, life)
    }

    /// Events that were read before; none when the device was deleted or another state was loaded since.
    package func readAgain(
        _ device: String, after first: UInt64, through last: UInt64, in life: DeviceLife
    ) -> [DeviceEvent] {
        let records = store.withLock { store in
            store.life(of: device) == life ? store.eventRecords(EventQuery(device: device, since: first)) : []
        }
        return records.flatMap(\.events).filter { $0.number > first && $0.number <= last }
    }
}
