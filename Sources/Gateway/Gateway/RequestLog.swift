package import APNs
package import DeviceSimulator
internal import Synchronization
internal import Time

/// The most recent requests of all providers with their answers.
package final class RequestLog: Sendable {
    private struct State {
        /// A ring once it is full. Records are consecutive, so positions determine their numbers.
        var entries: [RequestRecord] = []
        /// An index in `entries`; the next record replaces this one when the ring is full.
        var oldest = 0
        let capacity: Int
        /// The newest record evicted for its age. It stays in the ring until a new record replaces it.
        var lastAged: UInt64 = 0
        /// Records up to the number are from before the clock went back, when they were no younger than then.
        var former: (last: UInt64, at: Instant)?
        var counts = RequestCounts()
        /// The newest evicted record; older cursors have a gap.
        var lastDropped: UInt64 = 0
        var waiters = Waiters<Reader>()
        /// How often something outside the log changed what records say.
        var outsideChangeCount: UInt64 = 0
        /// nil without a recording.
        var tape: RequestTape?
        /// By how the relay ended, without those that wait.
        var relays: [RelayResult.Outcome: UInt64] = [:]

        /// Records are numbered from 1 without gaps.
        var last: UInt64 { counts.total }
        var first: UInt64 { max(firstEntry, lastAged + 1) }
        private var firstEntry: UInt64 { last - UInt64(entries.count) + 1 }

        private func index(of number: UInt64) -> Int { (oldest + Int(number - firstEntry)) % entries.count }

        subscript(_ number: UInt64) -> RequestRecord? {
            guard number >= first, number <= last else { return nil }
            var record = entries[index(of: number)]
            record.number = number
            return record
        }

        /// - Parameter record: Replaced by the evicted record.
        mutating func append(_ record: inout RequestRecord) -> UInt64 {
            counts.add(record.outcome)
            if tape != nil {
                let number = last
                tape?.append(record, number: number)
            }
            waiters.changeCount += 1
            guard entries.count == capacity else {
                entries.append(record)
                return last
            }
            if lastAged < firstEntry - 1 {
                counts.dropped += 1
                lastDropped = firstEntry - 1
            }
            swap(&entries[oldest], &record)
            oldest = oldest + 1 == capacity ? 0 : oldest + 1
            return last
        }

        mutating func evict(before instant: Instant, limit: Int) -> Int {
            var count = 0
            while count < limit, let record = self[first], arrival(of: record) < instant {
                lastAged = record.number
                lastDropped = record.number
                count += 1
            }
            counts.dropped += UInt64(count)
            return count
        }

        private func arrival(of record: RequestRecord) -> Instant {
            guard let former, record.number <= former.last else { return record.receivedAt }
            return min(record.receivedAt, former.at)
        }

        /// Does nothing when the record was evicted.
        mutating func change(_ number: UInt64, _ edit: (inout RequestRecord) -> Void) {
            guard number >= first, number <= last, !entries.isEmpty else { return }
            edit(&entries[index(of: number)])
        }
    }

    /// The kind of waiter for a change.
    package enum Reader: Sendable {
        /// A client of the admin API.
        case poll
        /// The log of pushes, which follows as long as the gateway runs.
        case pushLog
    }

    /// How many records a page reads per lock acquisition; providers wait for the lock.
    private static let batchCount: UInt64 = 256
    /// How many records a count examines, as many as the log retains by default.
    package static let countedLength = 10_000

    private let state: Mutex<State>
    /// Whether any record may still change, because a relay answers late.
    private let isRelayed = Atomic<Bool>(false)

    private let retention: Int64?

    /// - Parameter retention: in milliseconds; nil for any age.
    init(capacity: Int, retention: Int64?) {
        state = Mutex(State(capacity: max(1, capacity)))
        self.retention = retention
    }

    /// The clock goes back.
    func setBack(to now: Instant) { state.withLock { $0.former = ($0.last, now) } }

    /// Evicts records beyond the retention.
    func evictAged(at now: Instant) {
        guard let retention else { return }
        let limit = Int(Self.batchCount)
        while state.withLock({ $0.evict(before: now.advanced(by: -retention), limit: limit) }) == limit {}
    }

    @discardableResult
    func append(_ record: consuming RequestRecord) -> UInt64 {
        let receivedAt = record.receivedAt
        // The evicted record is released outside the lock.
        let (number, woken) = state.withLock { state in
            // More than one, so that the log gets shorter after a pause.
            if let retention { _ = state.evict(before: receivedAt.advanced(by: -retention), limit: 4) }
            return (state.append(&record), state.waiters.sleeping.isEmpty ? [] : state.waiters.take())
        }
        for waiter in woken { waiter.resume() }
        return number
    }

    func record(_ answer: DelayedAnswer, for number: UInt64) {
        change { state in
            state.tape?.record(answer, for: number)
            state.change(number) { $0.answer = answer }
        }
    }

    func record(_ relay: RelayResult, for number: UInt64) {
        change { state in
            if relay.outcome != .waiting { state.relays[relay.outcome, default: 0] += 1 }
            state.change(number) { $0.relay = relay }
        }
    }

    /// Call before the first push is relayed.
    package func beginRelaying() { isRelayed.store(true, ordering: .relaxed) }

    /// Pushes that the relay has finished with, by outcome; nil without a relay.
    package var relayCounts: [RelayResult.Outcome: UInt64]? {
        isRelayed.load(ordering: .relaxed) ? state.withLock { $0.relays } : nil
    }

    /// Wakes those who wait, for a change outside the log.
    func changed() { change { $0.outsideChangeCount += 1 } }

    private func change(_ body: (inout State) -> Void) {
        let woken = state.withLock { state in
            body(&state)
            state.waiters.changeCount += 1
            return state.waiters.take()
        }
        for waiter in woken { waiter.resume() }
    }

    /// The matching records after `since`, oldest first, or those before `before`, newest first.
    /// - Parameter limit: Raised to 1 if lower.
    package func page(
        since: UInt64 = 0, through last: UInt64 = .max, before: UInt64? = nil, limit: Int,
        where matches: (RequestRecord) -> Bool = { _ in true }
    ) -> RequestPage {
        var page = state.withLock { state in
            let since = before == nil ? since : 0
            var page = RequestPage(
                next: since, droppedCount: Int(clamping: state.counts.dropped), hasGap: state.lastDropped > since)
            if let before {
                page.newest = state.last
                page.next = min(before, state.last + 1)
            }
            return page
        }
        page.fill(upTo: max(1, limit), where: matches) { cursor, _ in
            before == nil ? batch(after: cursor, through: last) : batch(before: cursor)
        }
        return page
    }

    /// How many records match. Exact without a condition, or if the log has no more records than the number to
    /// examine.
    package func count(where matches: ((RequestRecord) -> Bool)? = nil) -> MatchCount {
        guard let matches else { return MatchCount(state.withLock { Int($0.last + 1 - $0.first) }) }
        return MatchCount(examining: Self.countedLength, where: matches) { cursor, _ in batch(before: cursor) }
    }

    /// Waits for `count` matching records after `since`, including existing ones and those whose answer is sent late.
    package func wait(
        since: UInt64, count: Int, timeout: Duration, where matches: @escaping @Sendable (RequestRecord) -> Bool
    ) async -> WaitResult<RequestPage> {
        // Records up to here are final, so that under load a reading need not start at `since` again.
        let final = Mutex((number: since, outsideChanges: UInt64(0)))
        return await wait(for: .poll, count: count, timeout: timeout) { [self] _, limit in
            var firstWaiting: UInt64?
            // Before the page, so that no change is missed.
            let outsideChanges = state.withLock { $0.outsideChangeCount }
            let start = final.withLock { $0.outsideChanges == outsideChanges ? $0.number : since }
            let page = page(since: start, limit: limit) { record in
                let mayChange = [.waiting, .withheld].contains(record.answer?.fate)
                if firstWaiting == nil, mayChange { firstWaiting = record.number }
                return matches(record)
            }
            if !isRelayed.load(ordering: .relaxed) {
                final.withLock { $0 = (firstWaiting.map { $0 - 1 } ?? page.next, outsideChanges) }
            }
            return page
        }
    }

    package var waitCount: Int { withWaiters { $0.sleeping.values.count { $0.filter == .poll } } }

    private func batch(after cursor: UInt64, through last: UInt64) -> QueryBatch<RequestRecord> {
        state.withLock { state in
            let last = min(last, state.last)
            var batch = QueryBatch<RequestRecord>(cursor: max(cursor, last))
            let first = max(state.first, cursor == .max ? cursor : cursor + 1)
            guard first <= last else { return batch }
            let end = min(last, first + Self.batchCount - 1)
            batch.items = (first...end).compactMap { state[$0] }
            batch.examinedCount = batch.items.count
            batch.isAtEnd = end == last
            batch.cursor = end
            return batch
        }
    }

    private func batch(before cursor: UInt64) -> QueryBatch<RequestRecord> {
        state.withLock { state in
            var batch = QueryBatch<RequestRecord>(cursor: 0)
            let end = min(state.last, cursor == 0 ? 0 : cursor - 1)
            guard end >= state.first else { return batch }
            let first = max(state.first, end > Self.batchCount ? end - Self.batchCount + 1 : 1)
            batch.items = (first...end).reversed().compactMap { state[$0] }
            batch.examinedCount = batch.items.count
            batch.isAtEnd = first == state.first
            batch.cursor = batch.isAtEnd ? 0 : first
            return batch
        }
    }

    package func record(_ number: UInt64) -> RequestRecord? { state.withLock { $0[number] } }

    /// Removes all records. Numbers and counts continue, so cursors stay valid.
    @discardableResult
    package func removeAll() -> Int {
        let removed = state.withLock { state in
            let removed = (count: Int(state.last + 1 - state.first), entries: state.entries)
            state.entries = []
            state.counts.clears += 1
            state.oldest = 0
            let last = state.last
            state.tape?.clearedRequest = last
            return removed
        }
        return removed.count
    }

    /// The requests since a recording began.
    var tape: RequestTape? {
        get { state.withLock { $0.tape } }
        set { state.withLock { $0.tape = newValue } }
    }

    /// Fills an unused log with recorded requests.
    /// - Parameter cleared: The newest request removed from the recorded log.
    func restore(_ records: [(number: UInt64, record: RequestRecord)], clearedRequest cleared: UInt64?) {
        state.withLock { state in
            state.counts.total = (records.first?.number ?? (cleared ?? 0) + 1) - 1
            state.lastDropped = state.counts.total
            for (number, record) in records {
                var record = record
                _ = state.append(&record)
                if number == cleared { (state.entries, state.oldest) = ([], 0) }
            }
        }
    }

    /// Call after a state was loaded: records let go of the former devices, and of pushes that the new ones have, too.
    func sharePushes(with simulator: DeviceSimulator) {
        var (cursor, isAtEnd) = (UInt64(0), false)
        while !isAtEnd {
            let batch = batch(after: cursor, through: .max)
            for record in batch.items {
                guard case .accepted(let push, let registration, let number) = record.outcome,
                    let stored = simulator.notification(number), stored.push.equals(push),
                    let current = registration.counterpart(stored.registration)
                else { continue }
                let shared = RequestRecord.Outcome.accepted(
                    push: stored.push, registration: current, notification: number)
                state.withLock { $0.change(record.number) { $0.outcome = shared } }
            }
            (cursor, isAtEnd) = (batch.cursor, batch.isAtEnd)
        }
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
    /// How often all were removed.
    package var clears = 0

    package var accepted: UInt64 { total - handledByFault - oversized - refused.values.reduce(0, +) }

    package mutating func add(_ outcome: RequestRecord.Outcome) {
        total += 1
        switch outcome {
        case .accepted, .served: break
        case .refused(_, let rejection): refused[rejection.reason, default: 0] += 1
        case .handledByFault: handledByFault += 1
        case .oversized: oversized += 1
        }
    }
}

package typealias RequestPage = QueryPage<RequestRecord>

extension RequestRecord: Numbered {}

extension RequestLog: Awaitable {
    package func withWaiters<Result: Sendable>(_ body: (inout Waiters<Reader>) -> Result) -> Result {
        state.withLock { body(&$0.waiters) }
    }
}
