internal import Synchronization

/// What a wait came to.
public struct WaitResult: Sendable {
    /// Why a wait ended.
    public enum Outcome: String, Sendable, Codable {
        /// As many as asked for were there.
        case matched
        /// The time was up first.
        case timedOut
        /// The simulator ends, or the task was cancelled.
        case stopped
    }

    /// Why the wait ended.
    public var outcome: Outcome
    /// What matched after the cursor, at most as many as were asked for.
    public var page: NotificationPage
}

/// Waiting for notifications, without polling.
extension DeviceSimulator {
    /// Waits until as many notifications as asked for have come after the query's cursor, those already there included.
    ///
    /// What was seen counts, even if an inbox drops it meanwhile.
    ///
    /// - Parameters:
    ///   - query: what counts; its limit does not.
    ///   - count: how many, 1 or more.
    ///   - timeout: how long at most; zero looks once.
    ///   - clock: tells when the time is up.
    public func wait(
        _ query: NotificationQuery, count: Int = 1, timeout: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> WaitResult {
        var query = query
        query.limit = max(1, count)
        let first = notifications(query)
        if first.items.count == query.limit { return WaitResult(outcome: .matched, page: first) }
        if timeout <= .zero { return WaitResult(outcome: .timedOut, page: first) }
        return await withTaskGroup(of: WaitResult?.self) { group in
            group.addTask { [query] in await self.gather(first, query) }
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

    /// Ends all waits at once, and those to come: for shutdown.
    public func finishWaits() {
        let woken = store.withLock { store in
            store.isFinished = true
            defer { store.waiters = [:] }
            return Array(store.waiters.values)
        }
        for waiter in woken { waiter.resume() }
    }

    private func gather(_ first: NotificationPage, _ query: NotificationQuery) async -> WaitResult {
        var page = first
        var query = query
        while page.items.count < query.limit {
            guard await arrival(after: page.next, Waiter.Filter(device: query.device, topic: query.topic)) else {
                return WaitResult(outcome: .stopped, page: page)
            }
            query.since = page.next
            var rest = query
            rest.limit -= page.items.count
            let more = notifications(rest)
            page = NotificationPage(
                items: page.items + more.items, next: more.next, hasMore: more.hasMore, droppedCount: more.droppedCount,
                hasGap: page.hasGap || more.hasGap)
        }
        return WaitResult(outcome: .matched, page: page)
    }

    /// Sleeps until something that may match comes after a cursor; false when the wait must end.
    ///
    /// A sleeper is taken off the list when it is woken, so a burst of pushes wakes it once.
    private func arrival(after cursor: UInt64, _ filter: Waiter.Filter) async -> Bool {
        let number = store.withLock { store in
            store.lastWaiter += 1
            return store.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let sleeps = store.withLock { store in
                    guard store.lastSequence <= cursor, !store.isFinished, !Task.isCancelled else { return false }
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
