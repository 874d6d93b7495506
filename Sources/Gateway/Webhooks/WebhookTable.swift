internal import DeviceModel
internal import DeviceSimulator
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
        /// What the queue has no room for, by device; the devices' logs keep it.
        var gaps: [String: Gap] = [:]

        /// Whether there is something to read again, and room for it.
        var isBehind: Bool { !gaps.isEmpty && (queue.hasRoom || queue.isDropping) }
    }

    /// Events that a webhook's queue had no room for.
    struct Gap: Sendable, Hashable {
        let life: DeviceLife
        /// The last event before the gap.
        var first: UInt64
        var last: UInt64
    }

    /// A webhook's place in the events of a device.
    struct Place: Sendable {
        let number: UInt64
        let device: String
        let gap: Gap
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
    /// Fires when a delivery can be sent, and when a webhook was set; for one listener.
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
        sendable.continuation.yield()
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

    /// Queues new events for the webhooks that select them; where they do not fit, they become a gap.
    func enqueue(_ events: [DeviceEvent], on device: String, in life: DeviceLife) {
        state.withLock { state in
            for index in state.entries.indices {
                for event in events { state.entries[index].add(event, on: device, in: life) }
            }
        }
        sendable.continuation.yield()
    }

    /// A gap that has room now; nil when every webhook has what it can take.
    func nextPlace() -> Place? {
        state.withLock { state in
            for entry in state.entries where entry.isBehind {
                guard let (device, gap) = entry.gaps.first else { continue }
                return Place(number: entry.number, device: device, gap: gap)
            }
            return nil
        }
    }

    /// - Parameter events: those of the place's gap that still exist.
    func fill(_ place: Place, with events: [DeviceEvent]) {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.number == place.number }) else { return }
            state.entries[index].fill(place, with: events)
        }
    }

    /// The webhooks with a file of authorities.
    var authorities: [(number: UInt64, file: String)] {
        state.withLock { state in
            state.entries.compactMap { entry in entry.webhook.authorities.map { (entry.number, $0) } }
        }
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

extension WebhookTable.Entry {
    fileprivate mutating func add(_ event: DeviceEvent, on device: String, in life: DeviceLife) {
        if gaps[device]?.life == life {
            // In order, behind the others.
            gaps[device]?.last = event.number
        } else if webhook.selects(event, on: device) {
            gaps[device] = nil
            if queue.isFull, !queue.isFailing {
                gaps[device] = .init(life: life, first: event.number - 1, last: event.number)
            } else {
                queue.append(WebhookDelivery(event, on: device, in: life, to: webhook.name))
            }
        }
    }

    fileprivate mutating func fill(_ place: WebhookTable.Place, with events: [DeviceEvent]) {
        let device = place.device
        // Otherwise, a device was created again meanwhile.
        guard var gap = gaps[device], gap.life == place.gap.life else { return }
        for event in events where webhook.selects(event, on: device) {
            guard !queue.isFull || queue.isFailing else {
                gap.first = event.number - 1
                gaps[device] = gap
                return
            }
            queue.append(WebhookDelivery(event, on: device, in: gap.life, to: webhook.name))
        }
        gap.first = place.gap.last
        gaps[device] = gap.first < gap.last ? gap : nil
    }
}

extension WebhookTable.Status {
    fileprivate init(_ entry: borrowing WebhookTable.Entry) {
        (webhook, counts) = (entry.webhook, entry.queue.counts)
        (lastError, recent) = (entry.queue.lastError, entry.queue.recent)
    }
}
