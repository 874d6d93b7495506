internal import APNs

/// Devices on which something happens by itself, the earliest first.
///
/// A binary heap. A device may stand in it more than once; only the entry for its `queuedDue` counts.
struct DueQueue {
    private struct Entry {
        let at: Instant
        let device: Device

        static func < (left: Self, right: Self) -> Bool {
            left.at == right.at ? left.device.name < right.device.name : left.at < right.at
        }
    }

    private var heap: [Entry] = []
    /// Whether something is due earlier than all that was before.
    private var isEarlier = false

    /// When something is due next at the earliest; it may turn out that it no longer is.
    var first: Instant? { heap.first?.at }

    /// When something is due next.
    mutating func firstDue() -> Instant? {
        while let first = heap.first, first.at != first.device.state.nextDue || first.at != first.device.queuedDue {
            removeFirst()
            requeue(first)
        }
        return first
    }

    /// Queues a device for what is due on it next.
    mutating func insert(_ device: Device) {
        device.queuedDue = device.state.nextDue
        heap.append(Entry(at: device.queuedDue, device: device))
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
        if child == 0 { isEarlier = true }
    }

    /// Whether `first` has become earlier since this was asked last.
    mutating func takeIsEarlier() -> Bool {
        defer { isEarlier = false }
        return isEarlier
    }

    /// Takes out the next device on which something is due; nil when nothing is due yet.
    mutating func next(until now: Instant) -> Device? {
        while let first = heap.first, first.at <= now {
            removeFirst()
            if first.at == first.device.queuedDue, first.device.state.nextDue <= now {
                first.device.queuedDue = .never
                return first.device
            }
            requeue(first)
        }
        return nil
    }

    /// Queues a device anew whose entry was taken out too early.
    private mutating func requeue(_ entry: Entry) {
        guard entry.at == entry.device.queuedDue else { return }
        entry.device.queuedDue = .never
        if entry.device.state.nextDue != .never { insert(entry.device) }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while 2 * parent + 1 < heap.count {
            var child = 2 * parent + 1
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
