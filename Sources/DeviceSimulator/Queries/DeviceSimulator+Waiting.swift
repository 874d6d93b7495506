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
    /// What matched after the cursor, at most as many as were asked for.
    package var page: Page
}

extension DeviceSimulator {
    /// Waits for `count` notifications after the query's cursor, those already there included.
    ///
    /// A match counts even if the inbox drops it meanwhile, or it no longer is in the state asked for. When state or timing
    /// is asked for, a notification that was there before counts as soon as it matches.
    ///
    /// - Parameters:
    ///   - query: its limit does not count.
    ///   - timeout: zero checks once.
    package func wait(
        _ query: NotificationQuery, count: Int = 1, timeout: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> WaitResult<NotificationPage> {
        var query = query
        query.limit = max(1, count)
        // What happens to one app may change what is shown of another, so a state is checked after any change.
        let filter = Waiter.Filter(device: query.device, topic: query.dependsOnState ? nil : query.topic)
        return await wait(for: filter, timeout: timeout, clock: clock) { [query] former in
            let page = former.map { self.notifications(query, addedTo: $0) } ?? self.notifications(query)
            return (page, page.items.count >= query.limit)
        }
    }

    /// As `wait(_:count:timeout:clock:)`, for events.
    package func waitForEvents(
        _ query: EventQuery, count: Int = 1, timeout: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> WaitResult<EventPage> {
        var query = query
        query.limit = max(1, count)
        let filter = Waiter.Filter(device: query.device, topic: nil)
        return await wait(for: filter, timeout: timeout, clock: clock) { [query] former in
            let page = former.map { self.events(query, addedTo: $0) } ?? self.events(query)
            return (page, page.events.count >= query.limit)
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

    // MARK: Looking

    /// What was found before, and what matches since.
    private func notifications(_ query: NotificationQuery, addedTo former: NotificationPage) -> NotificationPage {
        var rest = query
        var seen: Set<UInt64> = []
        if query.dependsOnState {
            // What matches now may have arrived long ago.
            seen = Set(former.items.map(\.sequence))
        } else {
            rest.since = former.next
            rest.limit = query.limit - former.items.count
        }
        var page = notifications(rest)
        let found = (former.items + page.items.filter { !seen.contains($0.sequence) })
            .sorted { $0.sequence < $1.sequence }
        page.items = Array(found.prefix(query.limit))
        if found.count > query.limit, let last = page.items.last {
            page.hasMore = true
            page.next = last.sequence
        }
        page.hasGap = page.hasGap || former.hasGap
        return page
    }

    /// What was found before, and what has happened since.
    private func events(_ query: EventQuery, addedTo former: EventPage) -> EventPage {
        var rest = query
        rest.since = former.next
        rest.limit = query.limit - former.events.count
        var page = events(rest)
        page.events = former.events + page.events
        page.hasGap = page.hasGap || former.hasGap
        return page
    }

    // MARK: Waiting

    /// Queries once: receives what was found before, returns what there is and whether it is enough.
    private typealias Look<Page> = @Sendable (Page?) -> (page: Page, isEnough: Bool)

    /// Repeats a look after every change that passes the filter, until it finds enough.
    private func wait<Page: Sendable>(
        for filter: Waiter.Filter, timeout: Duration, clock: any Clock<Duration>, look: @escaping Look<Page>
    ) async -> WaitResult<Page> {
        let count = changeCount
        let (first, isEnough) = look(nil)
        if isEnough { return WaitResult(outcome: .matched, page: first) }
        if timeout <= .zero { return WaitResult(outcome: .timedOut, page: first) }
        return await withTaskGroup(of: WaitResult<Page>?.self) { group in
            group.addTask { await self.gather(first, after: count, filter, look) }
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

    private func gather<Page: Sendable>(
        _ first: Page, after changeCount: UInt64, _ filter: Waiter.Filter, _ look: Look<Page>
    ) async -> WaitResult<Page> {
        var page = first
        var count = changeCount
        while await change(after: count, filter) {
            // Before the look, so that no change is missed in between.
            count = self.changeCount
            let (found, isEnough) = look(page)
            if isEnough { return WaitResult(outcome: .matched, page: found) }
            page = found
        }
        return WaitResult(outcome: .stopped, page: page)
    }

    private var changeCount: UInt64 { store.withLock { $0.changeCount } }

    /// Sleeps until a change passes the filter; false when the wait must end.
    ///
    /// A waiter is removed when it is woken, so a burst of pushes wakes it once.
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

/// A wait that sleeps until a change may end it.
struct Waiter: Sendable {
    struct Filter: Sendable {
        var device: String?
        var topic: String?

        /// Whether a change may match; its topic is nil when it may concern any app.
        func mayMatch(device: String, topic: String?) -> Bool {
            if let own = self.device, own != device { return false }
            if let own = self.topic, let topic, own != topic { return false }
            return true
        }
    }

    let filter: Filter
    let continuation: CheckedContinuation<Void, Never>

    func resume() {
        continuation.resume()
    }
}
