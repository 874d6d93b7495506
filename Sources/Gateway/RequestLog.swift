package import APNs
internal import Synchronization

/// The last requests of all providers with their answers; the oldest are evicted and counted.
package final class RequestLog: Sendable {
    private struct State {
        /// A ring of consecutive records, once it is full.
        ///
        /// Their numbers follow from their places.
        var entries: [RequestRecord] = []
        /// Index in `entries` of the oldest record, which the next one replaces when the ring is full.
        var oldest = 0
        let capacity: Int
        /// Number of the newest record; the first one is 1.
        var last: UInt64 = 0
        var dropped: UInt64 = 0
        /// The newest evicted record; older cursors have a gap.
        var lastDropped: UInt64 = 0

        /// Refused requests of all time.
        var refused: [APNsReason: UInt64] = [:]
        /// Requests of all time that fault rules handled.
        var taken: UInt64 = 0
        /// Requests of all time whose header list was too large.
        var oversized: UInt64 = 0
        /// Whether the next record is signalled.
        var isAwaited = true

        /// Number of the oldest record.
        var first: UInt64 { last - UInt64(entries.count) + 1 }

        subscript(_ number: UInt64) -> RequestRecord? {
            guard number >= first, number <= last else { return nil }
            var record = entries[(oldest + Int(number - first)) % entries.count]
            record.number = number
            return record
        }

        /// - Parameter record: The new one; then the evicted one.
        /// - Returns: The new one's number.
        mutating func append(_ record: inout RequestRecord) -> UInt64 {
            switch record.outcome {
            case .accepted: break
            case .refused(let refusal): refused[refusal.rejection.reason, default: 0] += 1
            case .taken: taken += 1
            case .oversized: oversized += 1
            }
            last += 1
            guard entries.count == capacity else {
                entries.append(record)
                return last
            }
            dropped += 1
            lastDropped = first - 1
            swap(&entries[oldest], &record)
            oldest = oldest + 1 == capacity ? 0 : oldest + 1
            return last
        }

        mutating func record(_ note: AnswerNote, for number: UInt64) {
            guard number >= first, number <= last, !entries.isEmpty else { return }
            entries[(oldest + Int(number - first)) % entries.count].answer = note
        }
    }

    /// How many records are read before the lock is released for a moment; providers wait for it.
    private static let batchCount: UInt64 = 256

    private let state: Mutex<State>
    let signal: AsyncStream<Void>.Continuation
    /// Yields after the first record, after the first one that follows a call of `awaitRecord`, and when a service extension
    /// has finished; for one reader.
    package let arrivals: AsyncStream<Void>

    /// - Parameter capacity: At least 1.
    init(capacity: Int) {
        state = Mutex(State(capacity: max(1, capacity)))
        (arrivals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// - Returns: The record's number.
    @discardableResult
    func append(_ record: consuming RequestRecord) -> UInt64 {
        // The evicted record is released outside the lock.
        let (number, isAwaited) = state.withLock { state in
            let isAwaited = state.isAwaited
            state.isAwaited = false
            return (state.append(&record), isAwaited)
        }
        if isAwaited { signal.yield() }
        return number
    }

    /// Makes `arrivals` yield once there is a record after `number`.
    package func awaitRecord(after number: UInt64) {
        let isThere = state.withLock { state in
            state.isAwaited = state.last <= number
            return !state.isAwaited
        }
        if isThere { signal.yield() }
    }

    /// Stores what became of an answer in its record, unless that was evicted.
    func record(_ note: AnswerNote, for number: UInt64) { state.withLock { $0.record(note, for: number) } }

    /// The matching records after `since`, oldest first.
    ///
    /// - Parameter limit: How many at most; at least 1.
    package func page(
        since: UInt64, limit: Int, where matches: (RequestRecord) -> Bool = { _ in true }
    ) -> RequestPage {
        var page = state.withLock { state in
            RequestPage(
                requests: [], next: since, hasMore: false, dropped: state.dropped,
                isTruncated: state.lastDropped > since)
        }
        var cursor = since
        while true {
            let (batch, end) = batch(after: cursor)
            for record in batch where matches(record) {
                guard page.requests.count < max(1, limit) else {
                    page.hasMore = true
                    return page
                }
                page.requests.append(record)
                page.next = record.number
            }
            cursor = max(cursor, end)
            guard batch.count == Int(Self.batchCount) else {
                page.next = cursor
                return page
            }
        }
    }

    /// The next records, and the number of the last one read.
    private func batch(after number: UInt64) -> (records: [RequestRecord], end: UInt64) {
        state.withLock { state in
            let first = max(state.first, number == .max ? number : number + 1)
            guard first <= state.last else { return ([], state.last) }
            let end = min(state.last, first + Self.batchCount - 1)
            return ((first...end).compactMap { state[$0] }, end)
        }
    }

    package func record(_ number: UInt64) -> RequestRecord? { state.withLock { $0[number] } }

    /// Removes all records; numbers and counts continue, so that cursors stay valid.
    /// - Returns: How many there were.
    @discardableResult
    package func removeAll() -> Int {
        let removed = state.withLock { state in
            let removed = state.entries
            state.entries = []
            state.oldest = 0
            return removed
        }
        return removed.count
    }

    package var counts: RequestCounts {
        state.withLock {
            RequestCounts(
                total: $0.last, refused: $0.refused, taken: $0.taken, oversized: $0.oversized, dropped: $0.dropped)
        }
    }
}

/// Requests since the start, by outcome.
package struct RequestCounts: Sendable, Equatable {
    package var total: UInt64
    package var refused: [APNsReason: UInt64]
    /// Handled by a fault rule, neither accepted nor rejected.
    package var taken: UInt64
    /// Their header list was too large to be read.
    package var oversized: UInt64
    /// Records evicted from the log.
    package var dropped: UInt64

    package var accepted: UInt64 { total - taken - oversized - refused.values.reduce(0, +) }
}

/// A part of the request log.
package struct RequestPage: Sendable {
    /// Oldest first.
    package var requests: [RequestRecord]
    /// The next page's `since`.
    package var next: UInt64
    /// More records match than the limit.
    package var hasMore: Bool
    /// Records evicted since the start.
    package var dropped: UInt64
    /// Some of the requested records were evicted.
    package var isTruncated: Bool
}
