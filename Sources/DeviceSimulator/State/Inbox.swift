/// A device's notifications, oldest first, with cheap appending and removing of the first.
struct Inbox: Sendable {
    private var storage: ContiguousArray<InboxEntry> = []
    private var head = 0

    var count: Int { storage.count - head }
    var first: InboxEntry? { head < storage.count ? storage[head] : nil }
    var items: ArraySlice<InboxEntry> { storage[head...] }
    var indices: Range<Int> { head..<storage.count }

    subscript(index: Int) -> InboxEntry {
        // Through a span, as the storage itself hands out copies.
        @inline(__always) _read { yield storage.span[index] }
        @inline(__always) _modify { yield &storage[index] }
    }

    mutating func append(_ item: consuming InboxEntry) {
        // By half: most inboxes are small, and doubling would waste memory.
        if storage.count == storage.capacity { storage.reserveCapacity(storage.count + max(4, storage.count / 2)) }
        storage.append(item)
    }

    mutating func remove(_ sequence: UInt64) {
        if head < storage.count, storage[head].sequence == sequence {
            head += 1
            // Moving the rest once per so many removals keeps both space and time linear.
            if head >= 16, head * 2 >= storage.count {
                storage.removeFirst(head)
                head = 0
            }
        } else if let index = index(of: sequence) {
            storage.remove(at: index)
        }
    }

    /// The place of an item.
    func index(of sequence: UInt64) -> Int? {
        guard sequence > 0, head < storage.count else { return nil }
        // The first to come is mostly the first to go.
        if storage[head].sequence == sequence { return head }
        let index = index(after: sequence - 1)
        return index < storage.count && storage[index].sequence == sequence ? index : nil
    }

    func items(after sequence: UInt64) -> ArraySlice<InboxEntry> {
        storage[index(after: sequence)...]
    }

    /// The place of the first item with a greater number.
    private func index(after sequence: UInt64) -> Int {
        var low = head
        var high = storage.count
        while low < high {
            let middle = low + (high - low) / 2
            if storage[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
