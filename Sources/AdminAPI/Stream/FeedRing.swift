/// The latest messages of the feed, numbered from 1 without gaps.
package struct FeedRing<Message: Sendable>: Sendable {
    package enum Step: Sendable {
        case message(Message)
        case upToDate
        /// The next message was evicted, or the position is of another ring; continue after `last`.
        case gap
    }

    package static var maximumCount: Int { 512 }
    package static var maximumByteCount: Int { 4 << 20 }

    private var entries: [(message: Message, byteCount: Int)] = []
    private var byteCount = 0
    /// The newest message, or the newest evicted one.
    package private(set) var last: UInt64 = 0

    package init() {}

    /// Evicts the oldest messages beyond the limits, but never the new one.
    package mutating func append(_ message: Message, byteCount size: Int) {
        last += 1
        entries.append((message, size))
        byteCount += size
        while entries.count > Self.maximumCount || byteCount > Self.maximumByteCount, entries.count > 1 {
            byteCount -= entries.removeFirst().byteCount
        }
    }

    /// Evicts everything. Every earlier position has a gap, even the newest: changes may be missed meanwhile.
    package mutating func clear() {
        last += 1
        entries = []
        byteCount = 0
    }

    /// The message after a number; 0 precedes all.
    package func next(after number: UInt64) -> Step {
        let lost = last - UInt64(entries.count)
        guard number >= lost, number <= last else { return .gap }
        return number == last ? .upToDate : .message(entries[Int(number - lost)].message)
    }
}
