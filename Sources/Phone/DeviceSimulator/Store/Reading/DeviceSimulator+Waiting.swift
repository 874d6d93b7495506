internal import Synchronization

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
            if let former, !query.dependsOnState { query.since = former.next }
            return self.notifications(query)
        }
    }

    package func waitForEvents(_ query: EventQuery, count: Int, timeout: Duration) async -> WaitResult<EventPage> {
        let filter = WaitFilter(device: query.device, topic: nil)
        return await wait(for: filter, count: count, timeout: timeout) { former, limit in
            var query = query
            query.limit = limit
            if let former { query.since = former.next }
            return self.events(query)
        }
    }
}
