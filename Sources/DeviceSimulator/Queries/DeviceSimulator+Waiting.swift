internal import APNs
internal import Synchronization

/// Why a wait ended.
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

extension DeviceSimulator {
    /// Waits for `count` notifications after the query's cursor, including existing ones.
    ///
    /// A match counts even if it is evicted or changes state meanwhile.
    /// A query for a state or timing also finds earlier notifications as soon as they match.
    ///
    /// - Parameter timeout: zero checks once. The query's limit is ignored.
    package func wait(
        _ query: NotificationQuery, count: Int = 1, timeout: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> WaitResult<NotificationPage> {
        // An event of one app may change the state of another's notifications.
        let filter = Waiter.Filter(device: query.device, topic: query.dependsOnState ? nil : query.topic)
        return await wait(for: filter, count: count, timeout: timeout, clock: clock) { former, limit in
            var query = query
            query.limit = limit
            // With a state, the next match may have arrived long ago.
            if let former, !query.dependsOnState { query.since = former.next }
            return self.notifications(query)
        }
    }

    package func waitForEvents(
        _ query: EventQuery, count: Int = 1, timeout: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> WaitResult<EventPage> {
        let filter = Waiter.Filter(device: query.device, topic: nil)
        return await wait(for: filter, count: count, timeout: timeout, clock: clock) { former, limit in
            var query = query
            query.limit = limit
            if let former { query.since = former.next }
            return self.events(query)
        }
    }

    /// Ends all waits, present and future, for shutdown.
    package func finishWaits() {
        let woken = store.withLock { store in
            store.isFinished = true
            defer { store.waiters = [:] }
            return Array(store.waiters.values)
        }
        for waiter in woken { waiter.resume() }
    }

    /// Repeats a query after every change that passes the filter until it has found enough.
    ///
    /// - Parameter read: queries once; receives the previous result and a limit.
    private func wait<Item>(
        for filter: Waiter.Filter, count: Int, timeout: Duration, clock: any Clock<Duration>,
        read: @escaping @Sendable (QueryPage<Item>?, Int) -> QueryPage<Item>
    ) async -> WaitResult<QueryPage<Item>> {
        let count = max(1, count)
        let former = changeCount
        let first = read(nil, count)
        if first.items.count >= count { return WaitResult(outcome: .matched, page: first) }
        if timeout <= .zero { return WaitResult(outcome: .timedOut, page: first) }
        return await withTaskGroup(of: WaitResult<QueryPage<Item>>?.self) { group in
            group.addTask {
                var page = first
                var latest = former
                while await self.change(after: latest, filter) {
                    // Before the query, so that no change is missed.
                    latest = self.changeCount
                    page = page.adding(read(page, count), limit: count)
                    if page.items.count >= count { return WaitResult(outcome: .matched, page: page) }
                }
                return WaitResult(outcome: .stopped, page: page)
            }
            group.addTask {
                try? await clock.sleep(for: timeout)
                return nil
            }
            let winner = await group.next() ?? nil
            let isTimeUp = winner == nil && !Task.isCancelled
            group.cancelAll()
            var result = winner
            while let other = await group.next() { result = result ?? other }
            var found = result ?? WaitResult(outcome: .stopped, page: first)
            if isTimeUp, found.outcome == .stopped { found.outcome = .timedOut }
            return found
        }
    }

    /// Counts pushes and other inputs of devices.
    package var changeCount: UInt64 { store.withLock { $0.changeCount } }

    /// Sleeps until `changeCount` exceeds `count`, at most this long.
    package func awaitChange(
        after count: UInt64, for longest: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await self.change(after: count, Waiter.Filter()) }
            group.addTask { try? await clock.sleep(for: longest) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Sleeps until a change passes the filter; false when the wait must end.
    /// Waking removes the waiter, so a burst of pushes wakes it once.
    private func change(after count: UInt64, _ filter: Waiter.Filter) async -> Bool {
        let number = store.withLock { store in
            store.lastWaiter += 1
            return store.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let sleeps = store.withLock { store in
                    guard store.changeCount == count, !store.isFinished, !Task.isCancelled else { return false }
                    store.waiters[number] = Waiter(filter: filter, continuation: continuation)
                    return true
                }
                if !sleeps { continuation.resume() }
            }
        } onCancel: {
            store.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
        return !Task.isCancelled && !store.withLock { $0.isFinished }
    }
}

extension QueryPage {
    fileprivate func adding(_ page: Self, limit: Int) -> Self {
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

struct Waiter: Sendable {
    struct Filter: Sendable {
        var device: String?
        var topic: String?

        func mayMatch(device: String, topic: String?) -> Bool {
            if let own = self.device, own != device { return false }
            if let own = self.topic, let topic, own != topic { return false }
            return true
        }
    }

    let filter: Filter
    let continuation: CheckedContinuation<Void, Never>

    func resume() { continuation.resume() }
}
