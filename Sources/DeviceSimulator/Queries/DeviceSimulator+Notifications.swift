internal import Synchronization

/// Looking into inboxes, and clearing them.
extension DeviceSimulator {
    /// Notifications that match, oldest first, as many as the query's limit allows.
    package func notifications(_ query: NotificationQuery = NotificationQuery()) -> NotificationPage {
        let limit = max(1, query.limit)
        var page = NotificationPage(next: query.since)
        (page.droppedCount, page.hasGap) = store.withLock { $0.losses(for: query) }
        var isAtEnd = false
        while !isAtEnd {
            var batch: [Notification] = []
            // Texts are looked at outside the lock, so nobody knows yet how many have the right one.
            let wanted = query.text == nil ? limit - page.items.count : .max
            (isAtEnd, page.next) = store.withLock { $0.collect(query, after: page.next, upTo: wanted, into: &batch) }
            for notification in batch where query.textMatches(notification) {
                page.items.append(notification)
                guard page.items.count == limit else { continue }
                page.hasMore = !isAtEnd || notification.sequence != batch.last?.sequence
                if page.hasMore { page.next = notification.sequence }
                return page
            }
        }
        return page
    }

    /// One notification; nil when it was never received or is gone.
    package func notification(_ sequence: UInt64) -> Notification? {
        store.withLock { $0.log[sequence].flatMap(Notification.init) }
    }

    /// Clears what matches, whatever the query's limit.
    ///
    /// - Returns: How many were cleared.
    @discardableResult
    package func clear(_ query: NotificationQuery) -> Int {
        var query = query
        var clearedCount = 0
        query.limit = 1000
        while true {
            let page = notifications(query)
            let sequences = page.items.map(\.sequence)
            clearedCount += store.withLock { $0.clear(sequences) }
            guard page.hasMore else { return clearedCount }
            query.since = page.next
        }
    }
}

extension Store {
    /// Clears notifications; those that are gone already do not count.
    mutating func clear(_ sequences: [UInt64]) -> Int {
        if !sequences.isEmpty { record(.cleared(notifications: sequences)) }
        return sequences.count { clear($0) }
    }

    /// How many entries are looked at before the lock is let go for a moment.
    private static let scanLength = 2048

    /// Collects entries that match but for their text.
    ///
    /// - Parameter limit: How many are wanted; one more tells that there are more.
    /// - Returns: Whether the newest has been looked at, and the cursor to go on with.
    func collect(
        _ query: NotificationQuery, after cursor: UInt64, upTo limit: Int, into batch: inout [Notification]
    ) -> (isAtEnd: Bool, cursor: UInt64) {
        var budget = Self.scanLength
        var last = cursor
        var isAtEnd = true
        func look(at entry: LogEntry) -> Bool {
            if budget == 0 || batch.count > limit {
                isAtEnd = false
                return false
            }
            budget -= 1
            last = entry.sequence
            if query.matches(entry), let notification = Notification(entry), query.stateMatches(notification) {
                batch.append(notification)
            }
            return true
        }
        if let name = query.device {
            for item in devices[name]?.state.inbox.items(after: cursor) ?? [] {
                if let entry = log[item.sequence], !look(at: entry) { break }
            }
        } else {
            log.forEach(after: cursor, look)
        }
        return (isAtEnd, isAtEnd ? max(cursor, lastSequence) : last)
    }

    /// How many notifications were dropped where a query looks, and whether some of them came after its cursor.
    func losses(for query: NotificationQuery) -> (count: Int, hasGap: Bool) {
        guard let name = query.device else { return (counts.dropped, lastDropped > query.since) }
        guard let state = devices[name]?.state else { return (0, false) }
        return (state.counts.dropped, state.lastDropped > query.since)
    }
}
