internal import APNs
internal import DeviceSimulator
internal import Gateway

/// How far the feed has read the gateway's state.
struct FeedCursor: Sendable {
    /// `faults` is told at most this often: under load, every push changes the counts.
    private static let faultInterval = Duration.seconds(1)

    /// The newest notification.
    private(set) var notification: UInt64
    private var requests: RequestCounts
    private var clock: ClockFacts
    private var faults: [FaultCounts]
    private var faultsReadAt: ContinuousClock.Instant

    private struct ClockFacts: Equatable {
        let mode: SimulatedClock.Mode
        /// nil while the clock is real.
        let now: Instant?
        let nextDue: Instant?

        init(_ gateway: Gateway) {
            mode = gateway.clock.mode
            now = mode == .manual ? gateway.now() : nil
            nextDue = gateway.simulator.nextDue
        }
    }

    private struct FaultCounts: Equatable {
        let name: String
        let matched: Int
        let fired: Int

        static func all(_ gateway: Gateway) -> [FaultCounts] {
            gateway.faults.statuses.map { FaultCounts(name: $0.rule.name, matched: $0.matched, fired: $0.fired) }
        }
    }

    /// Begins now; earlier changes are not told.
    init(_ gateway: Gateway, at now: ContinuousClock.Instant) {
        notification = gateway.simulator.recordChanges()
        requests = gateway.requestLog.counts
        clock = ClockFacts(gateway)
        faults = FaultCounts.all(gateway)
        faultsReadAt = now
    }

    /// What changed since the last call, in the order in which it is told.
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
        let faults = FaultCounts.all(gateway)
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
