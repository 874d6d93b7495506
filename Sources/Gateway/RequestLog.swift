public import APNs
internal import Synchronization

/// The last requests of all providers with their answers, refused ones too.
///
/// Bounded: the oldest entry makes room for the newest, and what was dropped is counted.
final class RequestLog: Sendable {
    private struct State {
        var entries: [RequestRecord] = []
        /// Index in `entries` of the next write once the ring is full.
        var next = 0
        var capacity: Int
        /// Number of the newest record; the first one is 1.
        var last: UInt64 = 0
        var dropped: UInt64 = 0
        /// Refused requests of all time.
        var refused: [APNsReason: UInt64] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter capacity: How many records are kept; at least 1.
    init(capacity: Int) {
        state = Mutex(State(capacity: max(1, capacity)))
    }

    /// Numbers a record and keeps it.
    func append(_ record: RequestRecord) {
        state.withLock { state in
            state.last += 1
            if case .refused(let refusal) = record.outcome { state.refused[refusal.rejection.reason, default: 0] += 1 }
            var record = record
            record.number = state.last
            if state.entries.count < state.capacity {
                state.entries.append(record)
            } else {
                state.entries[state.next] = record
                state.next = (state.next + 1) % state.capacity
                state.dropped += 1
            }
        }
    }

    /// The records after `since`, oldest first.
    func page(since: UInt64, limit: Int, where matches: (RequestRecord) -> Bool) -> RequestPage {
        let (ordered, dropped, last) = state.withLock { state in
            (Array(state.entries[state.next...] + state.entries[..<state.next]), state.dropped, state.last)
        }
        var page = RequestPage(requests: [], next: last, dropped: dropped, isTruncated: dropped > since)
        for record in ordered where record.number > since && matches(record) {
            if page.requests.count == limit { break }
            page.requests.append(record)
        }
        if page.requests.count == limit, let lastShown = page.requests.last { page.next = lastShown.number }
        return page
    }

    func record(_ number: UInt64) -> RequestRecord? {
        page(since: number &- 1, limit: 1) { $0.number == number }.requests.first
    }

    /// Forgets all records; numbers and counts go on.
    /// - Returns: How many there were.
    func removeAll() -> Int {
        state.withLock { state in
            defer { state.entries = [] }
            state.next = 0
            return state.entries.count
        }
    }

    /// What became of all requests so far.
    var counts: RequestCounts {
        state.withLock { RequestCounts(total: $0.last, refused: $0.refused, dropped: $0.dropped) }
    }
}

/// Requests since the start, by what became of them.
public struct RequestCounts: Sendable, Equatable {
    /// All of them.
    public var total: UInt64
    /// Those that were refused.
    public var refused: [APNsReason: UInt64]
    /// Records that had to make room in the log.
    public var dropped: UInt64

    /// Those that were accepted.
    public var accepted: UInt64 { total - refused.values.reduce(0, +) }
}

/// A part of the request log.
public struct RequestPage: Sendable {
    /// Oldest first.
    public var requests: [RequestRecord]
    /// Pass as `since` to go on from here.
    public var next: UInt64
    /// How many records had to make room since the start.
    public var dropped: UInt64
    /// Some of the records asked for had to make room.
    public var isTruncated: Bool
}
