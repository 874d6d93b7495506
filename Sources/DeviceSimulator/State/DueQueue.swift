internal import APNs

/// Devices with a due time, earliest first.
/// A device may appear more than once; only the entry for its `queuedDue` counts.
struct DueQueue {
    private struct Entry: Comparable {
        let at: Instant
        let device: Device

        static func < (left: Self, right: Self) -> Bool { (left.at, left.device.name) < (right.at, right.device.name) }

        static func == (left: Self, right: Self) -> Bool { left.at == right.at && left.device === right.device }
    }

    private var heap = ChunkedHeap<Entry>()
    private var isEarlier = false

    mutating func firstDue() -> Instant? {
        while let first = heap.min, first.at != first.device.state.nextDue || first.at != first.device.queuedDue {
            _ = heap.popMin()
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

    /// Whether an entry became the earliest since the last call.
    mutating func takeIsEarlier() -> Bool {
        defer { isEarlier = false }
        return isEarlier
    }

    /// Removes the next due device; nil when none is due yet.
    mutating func next(until now: Instant) -> Device? {
        guard let first = firstDue(), first <= now, let device = heap.popMin()?.device else { return nil }
        device.queuedDue = .never
        return device
    }

    /// Inserts the device again for its current `nextDue` unless it has another entry.
    private mutating func requeue(_ entry: Entry) {
        guard entry.at == entry.device.queuedDue else { return }
        entry.device.queuedDue = .never
        if entry.device.state.nextDue != .never { insert(entry.device) }
    }
}
