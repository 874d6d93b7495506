package import APNs
package import DeviceModel
internal import Synchronization

/// Selects notifications that match every member.
package struct NotificationQuery: Sendable {
    package var device: String?
    package var topic: String?
    package var state: DeliveryState.Kind?
    package var timing: Timing?
    package var pushType: PushType?
    /// Found in title, subtitle, body or raw payload, ignoring case.
    package var text: String?
    package var apnsID: APNsID?
    package var uniqueID: APNsID?
    /// A cursor: only later notifications.
    package var since: UInt64
    package var limit: Int

    package init(
        device: String? = nil, topic: String? = nil, state: DeliveryState.Kind? = nil, timing: Timing? = nil,
        pushType: PushType? = nil, text: String? = nil, apnsID: APNsID? = nil, uniqueID: APNsID? = nil,
        since: UInt64 = 0, limit: Int = 100
    ) {
        self.device = device
        self.topic = topic
        self.state = state
        self.timing = timing
        self.pushType = pushType
        self.text = text
        self.apnsID = apnsID
        self.uniqueID = uniqueID
        self.since = since
        self.limit = max(1, limit)
    }

    /// Compares the cheap members, neither text nor state.
    func matches(_ entry: LogEntry) -> Bool {
        guard let push = entry.push, let registration = entry.registration else { return false }
        if let topic, topic != registration.topic { return false }
        if let pushType, pushType != push.pushType { return false }
        if let apnsID, apnsID != push.apnsID { return false }
        if let uniqueID, uniqueID != push.uniqueID { return false }
        return true
    }

    func stateMatches(_ notification: Notification) -> Bool {
        if let state, state != notification.state.kind { return false }
        if let timing, timing != notification.outcome?.timing { return false }
        return true
    }

    /// Whether an existing notification may match later.
    var dependsOnState: Bool { state != nil || timing != nil }

    func textMatches(_ notification: Notification) -> Bool {
        guard let text, !text.isEmpty else { return true }
        let needle = text.lowercased()
        let content = notification.decoded.content
        let payload = String(decoding: notification.push.payload, as: UTF8.self)
        return [content.title, content.subtitle, content.body, payload].contains { $0.lowercased().contains(needle) }
    }
}

/// A page of matches, oldest first.
package struct QueryPage<Item: Numbered>: Sendable {
    package var items: [Item] = []
    package var next: UInt64
    /// Whether more matches are available now.
    package var hasMore = false
    /// How many notifications were ever evicted on the device, or on all devices.
    package var droppedCount = 0
    /// Whether something after the query's cursor is lost.
    package var hasGap = false

    /// Returns false when the page is full, so that there are more matches.
    mutating func add(_ item: Item, limit: Int) -> Bool {
        hasMore = items.count >= limit
        guard !hasMore else { return false }
        items.append(item)
        next = item.number
        return true
    }
}

/// An item with a number for cursors.
package protocol Numbered: Sendable {
    var number: UInt64 { get }
}

package typealias NotificationPage = QueryPage<Notification>

extension DeviceSimulator {
    package func notifications(_ query: NotificationQuery = NotificationQuery()) -> NotificationPage {
        var page = NotificationPage(next: query.since)
        (page.droppedCount, page.hasGap) = store.withLock { $0.losses(for: query) }
        var (cursor, isAtEnd) = (query.since, false)
        while !isAtEnd {
            var batch: [Notification] = []
            let limit = query.limit - page.items.count
            (isAtEnd, cursor) = store.withLock { $0.collect(query, after: cursor, upTo: limit, into: &batch) }
            // Texts are compared outside the lock.
            for notification in batch where query.textMatches(notification) {
                guard page.add(notification, limit: query.limit) else { return page }
            }
        }
        page.next = cursor
        return page
    }

    /// nil when it was never received or is gone.
    package func notification(_ sequence: UInt64) -> Notification? {
        store.withLock { $0.log[sequence].flatMap(Notification.init) }
    }

    /// Clears every match, regardless of the query's limit, and returns their number.
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
    mutating func clear(_ sequences: [UInt64]) -> Int {
        if !sequences.isEmpty { record(.cleared(notifications: sequences)) }
        return sequences.count { clear($0) }
    }

    /// Entries examined before the lock is released.
    private static let scanLength = 2048

    /// Collects matches, whatever their text, and one more than `limit` to detect whether there are more.
    func collect(
        _ query: NotificationQuery, after cursor: UInt64, upTo limit: Int, into batch: inout [Notification]
    ) -> (isAtEnd: Bool, cursor: UInt64) {
        var budget = Self.scanLength
        var last = cursor
        var isAtEnd = true
        func examine(_ entry: LogEntry) -> Bool {
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
                if let entry = log[item.sequence], !examine(entry) { break }
            }
        } else {
            log.forEach(after: cursor, examine)
        }
        return (isAtEnd, isAtEnd ? max(cursor, lastSequence) : last)
    }

    func losses(for query: NotificationQuery) -> (count: Int, hasGap: Bool) {
        guard let name = query.device else { return (counts.dropped, lastDropped > query.since) }
        guard let state = devices[name]?.state else { return (0, false) }
        return (state.counts.dropped, state.lastDropped > query.since)
    }
}
