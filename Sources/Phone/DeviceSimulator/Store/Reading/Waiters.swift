internal import Synchronization

/// The waits for changes of a value, behind its lock. Without waits, a change only increments the count.
package struct Waiters<Filter: Sendable>: Sendable {
    package struct Waiter: Sendable {
        package let filter: Filter
        let continuation: CheckedContinuation<Void, Never>

        package func resume() { continuation.resume() }
    }

    package var changeCount: UInt64 = 0
    package fileprivate(set) var sleeping: [UInt64: Waiter] = [:]
    private var lastNumber: UInt64 = 0
    /// Waits end at once during shutdown.
    fileprivate var isFinished = false

    package init() {}

    /// Removes the waits that a change may end; resume them outside the lock.
    package mutating func take(where mayMatch: (Filter) -> Bool = { _ in true }) -> [Waiter] {
        let woken = sleeping.filter { mayMatch($0.value.filter) }
        for number in woken.keys { sleeping[number] = nil }
        return Array(woken.values)
    }

    fileprivate mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}

/// A source of changes to wait for.
package protocol Awaitable: Sendable {
    associatedtype Filter: Sendable

    /// Calls the body with the waiters, behind the lock.
    func withWaiters<Result: Sendable>(_ body: (inout Waiters<Filter>) -> Result) -> Result
}

extension Awaitable {
    package var changeCount: UInt64 { withWaiters { $0.changeCount } }

    /// Whether all waits have ended, for shutdown.
    package var isFinished: Bool { withWaiters { $0.isFinished } }

    /// Ends all waits, present and future, for shutdown.
    package func finishWaits() {
        let woken = withWaiters { waiters in
            waiters.isFinished = true
            return waiters.take()
        }
        for waiter in woken { waiter.resume() }
    }

    /// Sleeps until a change after that many passes the filter; false when the wait must end.
    /// Waking removes the waiter, so a burst of changes wakes it once.
    package func change(after count: UInt64, _ filter: Filter) async -> Bool {
        let number = withWaiters { $0.nextNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let sleeps = withWaiters { waiters in
                    guard waiters.changeCount == count, !waiters.isFinished, !Task.isCancelled else { return false }
                    waiters.sleeping[number] = .init(filter: filter, continuation: continuation)
                    return true
                }
                if !sleeps { continuation.resume() }
            }
        } onCancel: {
            withWaiters { $0.sleeping.removeValue(forKey: number) }?.resume()
        }
        return !Task.isCancelled && !withWaiters { $0.isFinished }
    }

    /// Sleeps until `changeCount` exceeds `count`, at most this long.
    package func awaitChange(
        after count: UInt64, _ filter: Filter, for longest: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await self.change(after: count, filter) }
            group.addTask { try? await clock.sleep(for: longest) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Reads after every change that passes the filter until it is enough.
    ///
    /// - Parameter read: receives the previous result.
    package func wait<Value: Sendable>(
        for filter: Filter, timeout: Duration, clock: some Clock<Duration> = ContinuousClock(),
        read: @escaping @Sendable (Value?) -> Value, until isEnough: @escaping @Sendable (Value) -> Bool
    ) async -> WaitResult<Value> {
        let deadline = clock.now.advanced(by: timeout)
        var latest: Value?
        while true {
            // Before the reading, so that no change is missed.
            let former = changeCount
            let value = read(latest)
            if isEnough(value) { return WaitResult(outcome: .matched, page: value) }
            let rest = clock.now.duration(to: deadline)
            if rest <= .zero { return WaitResult(outcome: .timedOut, page: value) }
            if Task.isCancelled || isFinished { return WaitResult(outcome: .stopped, page: value) }
            latest = value
            await awaitChange(after: former, filter, for: rest, clock: clock)
        }
    }

    /// Repeats a query after every change that passes the filter until it has found enough.
    ///
    /// - Parameter timeout: zero checks once.
    /// - Parameter read: queries once; receives the previous result and a limit.
    package func wait<Item>(
        for filter: Filter, count: Int, timeout: Duration, clock: any Clock<Duration> = ContinuousClock(),
        read: @escaping @Sendable (QueryPage<Item>?, Int) -> QueryPage<Item>
    ) async -> WaitResult<QueryPage<Item>> {
        let count = max(1, count)
        return await wait(
            for: filter, timeout: timeout, clock: clock,
            read: { former in
                guard let former else { return read(nil, count) }
                return former.adding(read(former, count), limit: count)
            },
            until: { (page: QueryPage<Item>) in page.items.count >= count })
    }
}

package enum WaitOutcome: String, CaseIterable, Sendable, Codable {
    case matched = "complete"
    case timedOut = "timeout"
    /// The simulator is shutting down, or the task was cancelled.
    case stopped = "stopping"
}

package struct WaitResult<Page: Sendable>: Sendable {
    package var outcome: WaitOutcome
    /// At most as many items as requested.
    package var page: Page
}

extension QueryPage {
    fileprivate func adding(_ page: Self, limit: Int) -> Self {
        guard page.life == life else { return page }
        let seen = Set(items.map(\.number))
        let found = (items + page.items.filter { !seen.contains($0.number) }).sorted { $0.number < $1.number }
        var sum = page
        sum.items = Array(found.prefix(limit))
        if found.count > limit, let last = sum.items.last {
            sum.hasMore = true
            sum.next = last.number
        }
        sum.hasGap = hasGap || page.hasGap
        return sum
    }
}

extension DeviceSimulator: Awaitable {
    package struct WaitFilter: Sendable {
        let device: String?
        let topic: String?
        /// Whether a client waits for an answer.
        var isPoll = true

        package init(device: String?, topic: String?, isPoll: Bool = true) {
            (self.device, self.topic, self.isPoll) = (device, topic, isPoll)
        }

        func mayMatch(device: String, topic: String?) -> Bool {
            if let own = self.device, own != device { return false }
            if let own = self.topic, let topic, own != topic { return false }
            return true
        }
    }

    package func withWaiters<Result: Sendable>(_ body: (inout Waiters<WaitFilter>) -> Result) -> Result {
        store.withLock { body(&$0.waiters) }
    }

    /// Waits for `count` notifications after the query's cursor, including existing ones.
    ///
    /// A match counts even if it is evicted or changes state meanwhile.
    /// A query for a state or timing also finds earlier notifications as soon as they match.
    ///
    /// - Parameter timeout: zero checks once. The query's limit and `before` are ignored.
    package func wait(
        _ query: NotificationQuery, count: Int = 1, timeout: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> WaitResult<NotificationPage> {
        // An event of one app may change the state of another's notifications.
        let filter = WaitFilter(device: query.device, topic: query.dependsOnState ? nil : query.topic)
        return await wait(for: filter, count: count, timeout: timeout, clock: clock) { former, limit in
            var query = query
            query.limit = limit
            query.before = nil
            // With a state, the next match may have arrived long ago.
            let asked = query.since
            if let former, !query.dependsOnState { query.since = former.next }
            let page = self.notifications(query)
            guard let former, former.life != page.life else { return page }
            query.since = asked
            return self.notifications(query)
        }
    }

    package func waitForEvents(_ query: EventQuery, count: Int, timeout: Duration) async -> WaitResult<EventPage> {
        let filter = WaitFilter(device: query.device, topic: nil)
        return await wait(for: filter, count: count, timeout: timeout) { former, limit in
            var query = query
            query.limit = limit
            let asked = query.since
            if let former { query.since = former.next }
            let page = self.events(query)
            guard let former, former.life != page.life else { return page }
            // A new device's events begin at 1.
            query.since = former.life.generation == page.life.generation ? 0 : asked
            return self.events(query)
        }
    }
}
