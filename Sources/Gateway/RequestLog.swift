package import APNs
internal import Synchronization

/// The most recent requests of all providers with their answers.
package final class RequestLog: Sendable {
    private struct State {
        /// A ring once it is full. Records are consecutive, so positions determine their numbers.
        var entries: [RequestRecord] = []
        /// An index in `entries`; the next record replaces this one when the ring is full.
        var oldest = 0
        let capacity: Int
        var counts = RequestCounts()
        /// The newest evicted record; older cursors have a gap.
        var lastDropped: UInt64 = 0
        /// Whether the next record makes `arrivals` yield.
        var isAwaited = true

        /// Records are numbered from 1 without gaps.
        var last: UInt64 { counts.total }
        var first: UInt64 { last - UInt64(entries.count) + 1 }

        subscript(_ number: UInt64) -> RequestRecord? {
            guard number >= first, number <= last else { return nil }
            var record = entries[(oldest + Int(number - first)) % entries.count]
            record.number = number
            return record
        }

        /// - Parameter record: Replaced by the evicted record.
        mutating func append(_ record: inout RequestRecord) -> UInt64 {
            counts.add(record.outcome)
            guard entries.count == capacity else {
                entries.append(record)
                return last
            }
            counts.dropped += 1
            lastDropped = first - 1
            swap(&entries[oldest], &record)
            oldest = oldest + 1 == capacity ? 0 : oldest + 1
            return last
        }

        mutating func record(_ answer: DelayedAnswer, for number: UInt64) {
            guard number >= first, number <= last, !entries.isEmpty else { return }
            entries[(oldest + Int(number - first)) % entries.count].answer = answer
        }
    }

    /// How many records a page reads per lock acquisition; providers wait for the lock.
    private static let batchCount: UInt64 = 256

    private let state: Mutex<State>
    let signal: AsyncStream<Void>.Continuation
    /// Yields after the first record, after the first one that follows a call of `awaitRecord`, and when a service
    /// extension has finished. Supports one reader.
    package let arrivals: AsyncStream<Void>

    init(capacity: Int) {
        state = Mutex(State(capacity: max(1, capacity)))
        (arrivals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

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
        let hasRecord = state.withLock { state in
            state.isAwaited = state.last <= number
            return !state.isAwaited
        }
        if hasRecord { signal.yield() }
    }

    /// Does nothing when the record was evicted.
    func record(_ answer: DelayedAnswer, for number: UInt64) { state.withLock { $0.record(answer, for: number) } }

    /// The matching records after `since`, oldest first.
    /// - Parameter limit: Raised to 1 if lower.
    package func page(
        since: UInt64, limit: Int, where matches: (RequestRecord) -> Bool = { _ in true }
    ) -> RequestPage {
        var page = state.withLock { state in
            RequestPage(
                requests: [], next: since, hasMore: false, dropped: state.counts.dropped,
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

    /// - Returns: `end` is the number of the last record read.
    private func batch(after number: UInt64) -> (records: [RequestRecord], end: UInt64) {
        state.withLock { state in
            let first = max(state.first, number == .max ? number : number + 1)
            guard first <= state.last else { return ([], state.last) }
            let end = min(state.last, first + Self.batchCount - 1)
            return ((first...end).compactMap { state[$0] }, end)
        }
    }

    package func record(_ number: UInt64) -> RequestRecord? { state.withLock { $0[number] } }

    /// Removes all records. Numbers and counts continue, so cursors stay valid.
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

    package var counts: RequestCounts { state.withLock { $0.counts } }
}

/// Requests since the start, by outcome.
package struct RequestCounts: Sendable, Equatable {
    package var total: UInt64 = 0
    package var refused: [APNsReason: UInt64] = [:]
    /// Handled by a fault rule; neither accepted nor rejected.
    package var handledByFault: UInt64 = 0
    /// With a header list too large to read.
    package var oversized: UInt64 = 0
    package var dropped: UInt64 = 0

    package var accepted: UInt64 { total - handledByFault - oversized - refused.values.reduce(0, +) }

    package mutating func add(_ outcome: RequestRecord.Outcome) {
        total += 1
        switch outcome {
        case .accepted: break
        case .refused(_, let rejection): refused[rejection.reason, default: 0] += 1
        case .handledByFault: handledByFault += 1
        case .oversized: oversized += 1
        }
    }
}

package struct RequestPage: Sendable {
    /// Oldest first.
    package var requests: [RequestRecord]
    /// `since` for the next page.
    package var next: UInt64
    package var hasMore: Bool
    package var dropped: UInt64
    package var isTruncated: Bool
}
