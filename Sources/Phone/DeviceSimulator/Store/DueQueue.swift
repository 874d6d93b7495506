internal import Time

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

    mutating func firstDue() -> Instant? { first()?.at }

    private mutating func first() -> Entry? {
        while let first = heap.min, first.at != first.device.state.nextDue || first.at != first.device.queuedDue {
            _ = heap.popMin()
            requeue(first)
        }
        return heap.min
    }

    /// The last instant that a device, returned by `next(until:)`, may perform before it is another's turn. Of the same
    /// instant, devices take turns by name, so that neither steps nor speed decide the numbers of notifications.
    mutating func endOfTurn(of device: Device) -> Instant? {
        first().map { $0.device.name < device.name ? $0.at.advanced(by: -1) : $0.at }
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

/// A binary heap in chunks: unlike that of one array, its growth moves no elements, which takes milliseconds if there are
/// many.
struct ChunkedHeap<Element: Comparable> {
    /// All but the last one are full; none is empty.
    private var chunks: ContiguousArray<ContiguousArray<Element>> = []
    private(set) var count = 0

    private static var chunkCapacity: Int { 1024 }

    var min: Element? { chunks.first?.first }

    private subscript(place: Int) -> Element {
        get { chunks[place / Self.chunkCapacity][place % Self.chunkCapacity] }
        set { chunks[place / Self.chunkCapacity][place % Self.chunkCapacity] = newValue }
    }

    mutating func insert(_ element: Element) {
        append(element)
        var place = count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            guard element < self[parent] else { break }
            self[place] = self[parent]
            place = parent
        }
        self[place] = element
    }

    mutating func popMin() -> Element? {
        guard let first = min, let last = popLast() else { return nil }
        guard count > 0 else { return first }
        var place = 0
        while let child = lesserChild(of: place), self[child] < last {
            self[place] = self[child]
            place = child
        }
        self[place] = last
        return first
    }

    private func lesserChild(of place: Int) -> Int? {
        let child = 2 * place + 1
        guard child < count else { return nil }
        return child + 1 < count && self[child + 1] < self[child] ? child + 1 : child
    }

    private mutating func append(_ element: Element) {
        if count == chunks.count * Self.chunkCapacity {
            var chunk: ContiguousArray<Element> = []
            chunk.reserveCapacity(Self.chunkCapacity)
            chunks.append(chunk)
        }
        chunks[chunks.count - 1].append(element)
        count += 1
    }

    private mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count -= 1
        let last = chunks[chunks.count - 1].removeLast()
        if chunks[chunks.count - 1].isEmpty { chunks.removeLast() }
        return last
    }
}
