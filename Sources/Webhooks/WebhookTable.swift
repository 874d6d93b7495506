internal import DeviceModel
internal import Synchronization

/// The webhooks with their queues; bounded in number and length.
package final class WebhookTable: Sendable {
    package static let maximumCount = 32
    package static let standardQueueCapacity = 1000

    package struct Status: Sendable, Hashable {
        package var webhook: Webhook
        package var counts: WebhookCounts
        package var lastError: String?
        /// Newest last.
        package var recent: [WebhookRecord]
    }

    package struct Full: Error {}

    fileprivate struct Entry {
        let webhook: Webhook
        /// Replacing a webhook discards its deliveries.
        let number: UInt64
        var queue: WebhookQueue
    }

    private struct State {
        var entries: [Entry] = []
        var lastNumber: UInt64 = 0
    }

    struct Job: Sendable {
        let webhook: Webhook
        let number: UInt64
        let delivery: WebhookDelivery
    }

    private let state = Mutex(State())
    /// Fires when a delivery can be sent; for one listener.
    let sendable = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Fires when the first webhook is added; for one listener.
    let starts = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Called when the first one is added or the last one removed.
    private let follow: @Sendable (Bool) -> Void

    private let queueCapacity: Int

    /// - Parameters:
    ///   - queueCapacity: deliveries that one webhook may have pending.
    ///   - follow: receives whether any webhook needs events.
    package init(
        queueCapacity: Int = standardQueueCapacity, follow: @escaping @Sendable (Bool) -> Void
    ) {
        (self.queueCapacity, self.follow) = (queueCapacity, follow)
    }

    package var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

    /// In the order of their names.
    package var statuses: [Status] {
        state.withLock { $0.entries.map(Status.init) }.sorted { $0.webhook.name < $1.webhook.name }
    }

    package func status(_ name: String) -> Status? {
        state.withLock { $0.entries.first { $0.webhook.name == name }.map(Status.init) }
    }

    // MARK: Webhooks

    /// Adds a webhook, or replaces the one of its name unless they are equal; a new one begins with new counts.
    /// - Returns: Whether the name is new.
    @discardableResult
    package func set(_ webhook: Webhook) throws(Full) -> Bool {
        let isNew = try state.withLock { state throws(Full) in
            // Before the webhook is announced, so that it misses no later event.
            follow(true)
            let index = state.entries.firstIndex { $0.webhook.name == webhook.name }
            guard index != nil || state.entries.count < Self.maximumCount else { throw Full() }
            state.lastNumber += 1
            let queue = WebhookQueue(capacity: queueCapacity)
            let entry = Entry(webhook: webhook, number: state.lastNumber, queue: queue)
            guard let index else {
                state.entries.append(entry)
                return true
            }
            if state.entries[index].webhook != webhook { state.entries[index] = entry }
            return false
        }
        starts.continuation.yield()
        return isNew
    }

    @discardableResult
    package func remove(where matches: (Webhook) -> Bool) -> Int {
        state.withLock { state in
            let before = state.entries.count
            state.entries.removeAll { matches($0.webhook) }
            if state.entries.isEmpty { follow(false) }
            return before - state.entries.count
        }
    }

    // MARK: Deliveries

    /// False while the queue of a working receiver is full; the queue of a failing one drops events instead.
    var hasRoom: Bool { state.withLock { $0.entries.allSatisfy { !$0.queue.isFull || $0.queue.isFailing } } }

    func enqueue(_ event: DeviceEvent, on device: String) {
        state.withLock { state in
            for index in state.entries.indices where state.entries[index].webhook.selects(event, on: device) {
                let name = state.entries[index].webhook.name
                state.entries[index].queue.append(WebhookDelivery(event, on: device, to: name))
            }
        }
        sendable.continuation.yield()
    }

    func next() -> Job? {
        state.withLock { state in
            for index in state.entries.indices {
                let entry = state.entries[index]
                guard let delivery = state.entries[index].queue.next() else { continue }
                return Job(webhook: entry.webhook, number: entry.number, delivery: delivery)
            }
            return nil
        }
    }

    /// - Returns: How long to wait before `retry`; nil when the delivery is finished.
    func finish(_ job: Job, _ outcome: WebhookOutcome, delays: [Duration]) -> Duration? {
        defer { sendable.continuation.yield() }
        return change(job) { $0.finish(job.delivery, outcome, delays: delays) } ?? nil
    }

    func retry(_ job: Job) {
        _ = change(job) { $0.retry(job.delivery) }
        sendable.continuation.yield()
    }

    /// How the delivery ended; nil before its end, or when its webhook is gone.
    func record(of job: Job) -> WebhookRecord? {
        change(job) { queue in queue.recent.last { $0.id == job.delivery.id } } ?? nil
    }

    private func change<Result: Sendable>(_ job: Job, _ body: (inout WebhookQueue) -> Result) -> Result? {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.number == job.number }) else { return nil }
            return body(&state.entries[index].queue)
        }
    }
}

extension WebhookTable.Status {
    fileprivate init(_ entry: borrowing WebhookTable.Entry) {
        (webhook, counts) = (entry.webhook, entry.queue.counts)
        (lastError, recent) = (entry.queue.lastError, entry.queue.recent)
    }
}
