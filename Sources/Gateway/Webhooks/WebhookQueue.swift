package import DeviceModel

/// The deliveries of one webhook, in order per device: the next one waits until the previous one is delivered or
/// abandoned.
struct WebhookQueue {
    static let concurrency = 4
    static let recentCapacity = 20

    /// A device's deliveries; the first is in flight, waits for a retry, or is in `ready`.
    private struct Lane {
        var waiting: [WebhookDelivery]
        var attempts = 0
    }

    private var lanes: [String: Lane] = [:]
    /// Devices whose first delivery can be sent.
    private var ready: [String] = []
    private var activeCount = 0
    private(set) var counts = WebhookCounts()
    private(set) var lastError: String?
    /// Finished ones, newest last.
    private(set) var recent: [WebhookRecord] = []
    /// Whether the latest attempt failed.
    private(set) var isFailing = false

    /// The most pending deliveries; each takes a few KiB at most.
    private let capacity: Int

    init(capacity: Int = WebhookTable.standardQueueCapacity) { self.capacity = capacity }

    var isFull: Bool { counts.pending >= capacity }
    /// Half a queue at a time, so that events are not read again for each of them.
    var hasRoom: Bool { counts.pending <= capacity / 2 }
    /// A receiver that works gets what does not fit later; a failing one never does.
    var isDropping: Bool { isFailing && isFull }

    mutating func append(_ delivery: WebhookDelivery) {
        guard !isFull else {
            counts.dropped += 1
            return
        }
        counts.pending += 1
        if lanes[delivery.device]?.waiting.append(delivery) == nil {
            lanes[delivery.device] = Lane(waiting: [delivery])
            ready.append(delivery.device)
        }
    }

    /// The next delivery to send; nil if there is none, or enough are in flight.
    mutating func next() -> WebhookDelivery? {
        guard activeCount < Self.concurrency, !ready.isEmpty else { return nil }
        activeCount += 1
        return lanes[ready.removeFirst()]?.waiting.first
    }

    /// - Parameter delays: before each further attempt.
    /// - Returns: How long to wait before `retry`; nil when the delivery is finished.
    mutating func finish(_ delivery: WebhookDelivery, _ outcome: WebhookOutcome, delays: [Duration]) -> Duration? {
        activeCount -= 1
        guard var lane = lanes[delivery.device] else { return nil }
        lane.attempts += 1
        isFailing = outcome.error != nil
        if let error = outcome.error { lastError = error }
        if case .failed = outcome, lane.attempts <= delays.count {
            lanes[delivery.device] = lane
            return delays[lane.attempts - 1]
        }
        if outcome.error == nil { counts.delivered += 1 } else { counts.failed += 1 }
        counts.pending -= 1
        recent.append(WebhookRecord(delivery, outcome, attempts: lane.attempts))
        if recent.count > Self.recentCapacity { recent.removeFirst() }
        lane.waiting.removeFirst()
        lane.attempts = 0
        lanes[delivery.device] = lane.waiting.isEmpty ? nil : lane
        if !lane.waiting.isEmpty { ready.append(delivery.device) }
        return nil
    }

    /// Queues a failed delivery for another attempt.
    mutating func retry(_ delivery: WebhookDelivery) { ready.append(delivery.device) }
}

/// A webhook's deliveries since it was set.
package struct WebhookCounts: Sendable, Hashable {
    package var pending = 0
    package var delivered = 0
    /// Abandoned.
    package var failed = 0
    /// Never tried, because the queue was full.
    package var dropped = 0
}

/// A finished delivery.
package struct WebhookRecord: Sendable, Hashable, Codable {
    package var id: String
    package var device: String
    package var event: DeviceEvent.Kind
    package var number: UInt64
    package var attempts: Int
    /// nil when it was delivered.
    package var error: String?

    init(_ delivery: WebhookDelivery, _ outcome: WebhookOutcome, attempts: Int) {
        id = delivery.id
        device = delivery.device
        event = delivery.event.kind
        number = delivery.event.number
        self.attempts = attempts
        error = outcome.error
    }
}
