package import APNs
package import DeviceModel
internal import Synchronization

/// Selects notifications that match every member.
package struct NotificationQuery: Sendable {
    package var device: String?
    package var topic: String?
    package var state: DeliveryState.Kind?
    package var timing: Timing?
    package var outcome: PushOutcome?
    package var pushType: PushType?
    /// Found in title, subtitle or body, as the person sees them, or in the raw payload, ignoring case.
    package var text: String?
    package var apnsID: APNsID?
    package var uniqueID: APNsID?
    /// Compared outside the lock, as `text` is; nil for none.
    package var condition: Condition?
    /// A cursor: only later notifications.
    package var since: UInt64
    /// Only this notification and earlier ones.
    package var through: UInt64
    /// A cursor: only earlier notifications, the newest first; nil lists the oldest first. `since` is ignored then.
    package var before: UInt64?
    package var limit: Int

    package init(
        device: String? = nil, topic: String? = nil, state: DeliveryState.Kind? = nil, timing: Timing? = nil,
        outcome: PushOutcome? = nil, pushType: PushType? = nil, text: String? = nil, apnsID: APNsID? = nil,
        uniqueID: APNsID? = nil,
        since: UInt64 = 0, through: UInt64 = .max, before: UInt64? = nil, limit: Int = 100
    ) {
        self.device = device
        self.topic = topic
        self.state = state
        self.timing = timing
        self.outcome = outcome
        self.pushType = pushType
        self.text = text
        self.apnsID = apnsID
        self.uniqueID = uniqueID
        self.since = since
        self.through = through
        self.before = before
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
        if let timing, timing != notification.item.timing { return false }
        if let outcome, outcome != notification.pushOutcome { return false }
        return true
    }

    /// Whether it selects every notification of the device or of all.
    package var isUnfiltered: Bool {
        topic == nil && pushType == nil && apnsID == nil && uniqueID == nil && !dependsOnState && !isSlow
    }

    /// Whether an existing notification may match later.
    var dependsOnState: Bool {
        // A service extension may add the text.
        state != nil || timing != nil || outcome != nil || text != nil || condition?.dependsOnState == true
    }

    /// Whether each notification must be decoded and compared.
    var isSlow: Bool { text != nil || condition != nil }

    /// An additional condition of the caller.
    package struct Condition: Sendable {
        /// Whether an existing notification may match later.
        var dependsOnState: Bool
        var matches: @Sendable (Notification) -> Bool

        package init(dependsOnState: Bool, matches: @escaping @Sendable (Notification) -> Bool) {
            self.dependsOnState = dependsOnState
            self.matches = matches
        }
    }

    func contentMatches(_ notification: Notification) -> Bool {
        textMatches(notification) && condition?.matches(notification) ?? true
    }

    private func textMatches(_ notification: Notification) -> Bool {
        guard let text, !text.isEmpty else { return true }
        let needle = text.lowercased()
        let payload = String(decoding: notification.push.payload, as: UTF8.self)
        let content = notification.awaitsExtension ? nil : notification.localizedContent
        return [content?.title, content?.subtitle, content?.body, payload].compactMap(\.self).contains {
            $0.lowercased().contains(needle)
        }
    }
}

package typealias NotificationPage = QueryPage<Notification>

extension DeviceSimulator {
    package func notifications(_ query: NotificationQuery = NotificationQuery()) -> NotificationPage {
        var page = store.withLock { $0.emptyPage(query) }
        // Texts are compared outside the lock.
        page.fill(upTo: query.limit, where: query.contentMatches) { cursor, limit in
            store.withLock { $0.collect(query, from: cursor, upTo: limit) }
        }
        return page
    }

    /// How many notifications match, regardless of the query's cursors and limit. Exact without filters except `device`, or if
    /// there are no more notifications to examine than this limit.
    package func count(_ query: NotificationQuery) -> MatchCount {
        if query.isUnfiltered { return MatchCount(store.withLock { $0.notificationCount(on: query.device) }) }
        var query = query
        query.before = .max
        let budget = query.isSlow ? Self.countedTexts : Self.countedLength
        return MatchCount(examining: budget, where: query.contentMatches) { [query] cursor, budget in
            store.withLock { $0.collect(query, from: cursor, upTo: budget, examining: budget) }
        }
    }

    /// About 7 ms of CPU time, measured by the crowd of `make bench`.
    package static let countedLength = 10_000
    /// Fewer, because each is decoded and compared.
    package static let countedTexts = 1000

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
        query.before = nil
        while true {
            let page = notifications(query)
            let sequences = page.items.map(\.sequence)
            clearedCount += store.withLock { $0.clear(sequences) }
            guard page.hasMore else { return clearedCount }
            query.since = page.next
        }
    }
}

extension SimulatorState {
    mutating func clear(_ sequences: [UInt64]) -> Int {
        if !sequences.isEmpty { record(.cleared(notifications: sequences)) }
        return sequences.count { clear($0) }
    }

    /// Entries examined before the lock is released.
    private static let scanLength = 2048

    /// Collects matches, whatever their text, and one more than `limit` to detect whether there are more.
    func collect(
        _ query: NotificationQuery, from cursor: UInt64, upTo limit: Int, examining budget: Int = scanLength
    ) -> QueryBatch<Notification> {
        var batch = QueryBatch<Notification>(cursor: cursor)
        let budget = min(budget, Self.scanLength)
        func examine(_ entry: LogEntry) -> Bool {
            if entry.sequence > query.through { return false }
            if batch.examinedCount == budget || batch.items.count > limit {
                batch.isAtEnd = false
                return false
            }
            batch.examinedCount += 1
            batch.cursor = entry.sequence
            if query.matches(entry), let notification = Notification(entry), query.stateMatches(notification) {
                batch.items.append(notification)
            }
            return true
        }
        if query.before != nil {
            visit(query.device, before: cursor, examine)
        } else {
            visit(query.device, after: cursor, examine)
        }
        // Later arrivals are after the newest, and nothing is before the oldest.
        if batch.isAtEnd { batch.cursor = query.before == nil ? max(cursor, lastSequence) : 0 }
        return batch
    }

    private func visit(_ device: String?, after cursor: UInt64, _ examine: (LogEntry) -> Bool) {
        guard let device else { return log.forEach(after: cursor, examine) }
        for item in devices[device]?.state.inbox.items(after: cursor) ?? [] {
            if let entry = log[item.sequence], !examine(entry) { return }
        }
    }

    private func visit(_ device: String?, before cursor: UInt64, _ examine: (LogEntry) -> Bool) {
        guard let device else { return log.forEach(before: cursor, examine) }
        for item in (devices[device]?.state.inbox.items(before: cursor) ?? []).reversed() {
            if let entry = log[item.sequence], !examine(entry) { return }
        }
    }

    /// A page that begins at the query's cursor.
    func emptyPage(_ query: NotificationQuery) -> NotificationPage {
        let since = query.before == nil ? query.since : 0
        var page = NotificationPage(next: since, droppedCount: counts.dropped, hasGap: lastDropped > since)
        page.life.generation = generation
        if let name = query.device {
            let state = devices[name]?.state
            page.droppedCount = state?.counts.dropped ?? 0
            page.hasGap = (state?.lastDropped ?? 0) > since
        }
        if let before = query.before {
            // Later arrivals are after `newest` and not on the page.
            page.newest = lastSequence
            page.next = min(before, lastSequence + 1)
        }
        return page
    }

    func notificationCount(on device: String?) -> Int {
        guard let device else { return log.count }
        return devices[device]?.state.inbox.count ?? 0
    }
}
