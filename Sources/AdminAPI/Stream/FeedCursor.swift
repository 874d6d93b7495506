internal import APNs
internal import DeviceSimulator
internal import Gateway

/// How far the feed has read the gateway's state.
struct FeedCursor: Sendable {
    /// `faults` is sent at most this often: under load, every push changes the counts.
    private static let faultInterval = Duration.seconds(1)

    /// The newest notification.
    private(set) var notification: UInt64
    private var requests: RequestCounts
    private var clock: ClockFacts
    private var faults: StreamFaults
    private var faultsReadAt: ContinuousClock.Instant

    private struct ClockFacts: Equatable {
        /// As `SimulatedClock.text`.
        let clock: String?
        let nextDue: Instant?

        init(_ gateway: Gateway) {
            clock = gateway.clock.text
            nextDue = gateway.simulator.nextDue
        }
    }

    /// Begins now; earlier changes are not reported.
    init(_ gateway: Gateway, at now: ContinuousClock.Instant) {
        notification = gateway.simulator.recordChanges()
        requests = gateway.requestLog.counts
        clock = ClockFacts(gateway)
        faults = StreamFaults(of: gateway)
        faultsReadAt = now
    }

    /// What changed since the last call, in the order of its messages.
    mutating func read(_ gateway: Gateway, at now: ContinuousClock.Instant) -> [FeedMessage] {
        var messages: [FeedMessage] = []
        if let changes = gateway.simulator.takeChanges() { messages = take(changes) }
        let requests = gateway.requestLog.counts
        if requests.total > self.requests.total {
            messages.append(
                .requests(
                    since: self.requests.total, last: requests.total,
                    accepted: requests.accepted - min(requests.accepted, self.requests.accepted)))
            self.requests = requests
        }
        let clock = ClockFacts(gateway)
        if clock != self.clock {
            messages.append(.clock)
            self.clock = clock
        }
        guard now - faultsReadAt >= Self.faultInterval else { return messages }
        let faults = StreamFaults(of: gateway)
        if faults != self.faults {
            messages.append(.faults)
            (self.faults, faultsReadAt) = (faults, now)
        }
        return messages
    }

    private mutating func take(_ changes: ChangeSet) -> [FeedMessage] {
        defer { notification = changes.last }
        if changes.isIncomplete { return [.gap(next: changes.last)] }
        var messages: [FeedMessage] = []
        let hasNew = changes.last > notification
        if hasNew || !changes.changed.isEmpty {
            messages.append(
                .notifications(since: notification, last: changes.last, changed: changes.changed.sorted()))
        }
        if !changes.removed.isEmpty {
            messages.append(.removed(changes.removed, isTruncated: changes.hasMoreRemoved))
        }
        if hasNew || !changes.devices.isEmpty || !changes.deletedDevices.isEmpty {
            messages.append(
                .devices(
                    since: notification, last: changes.last, others: changes.devices.sorted(),
                    removed: changes.deletedDevices.sorted(), isTruncated: changes.hasMoreDevices))
        }
        return messages
    }
}
