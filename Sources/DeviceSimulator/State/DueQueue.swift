internal import APNs
internal import HeapModule

/// Devices on which something happens by itself, the earliest first. A device may be in it more than once; only the entry
/// for its `queuedDue` counts.
struct DueQueue {
    private struct Entry: Comparable {
        let at: Instant
        let device: Device

        static func < (left: Self, right: Self) -> Bool { (left.at, left.device.name) < (right.at, right.device.name) }

        static func == (left: Self, right: Self) -> Bool { left.at == right.at && left.device === right.device }
    }

    private var heap = Heap<Entry>()
    /// Whether something is due earlier than everything before.
    private var isEarlier = false

    /// When something is due next.
    mutating func firstDue() -> Instant? {
        while let first = heap.min, first.at != first.device.state.nextDue || first.at != first.device.queuedDue {
            heap.removeMin()
            requeue(first)
        }
        return heap.min?.at
    }

    mutating func insert(_ device: Device) {
        device.queuedDue = device.state.nextDue
        let entry = Entry(at: device.queuedDue, device: device)
        if heap.min.map({ entry < $0 }) ?? true { isEarlier = true }
        heap.insert(entry)
    }

    /// Whether something became due earlier than everything before since the last call.
    mutating func takeIsEarlier() -> Bool {
        defer { isEarlier = false }
        return isEarlier
    }

    /// Removes the next device on which something is due; nil when nothing is due yet.
    mutating func next(until now: Instant) -> Device? {
        guard let first = firstDue(), first <= now else { return nil }
        let device = heap.removeMin().device
        device.queuedDue = .never
        return device
    }

    /// Inserts the device again for its present `nextDue`, unless it has another entry.
    private mutating func requeue(_ entry: Entry) {
        guard entry.at == entry.device.queuedDue else { return }
        entry.device.queuedDue = .never
        if entry.device.state.nextDue != .never { insert(entry.device) }
    }
}
