internal import DeviceSimulator
internal import Gateway
internal import Time

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
        // Those that readers know are gone.
        if requests.clears != self.requests.clears { messages.append(.gap(next: notification)) }
        if requests.total > self.requests.total {
            messages.append(
                .requests(
                    since: self.requests.total, last: requests.total,
                    accepted: requests.accepted - min(requests.accepted, self.requests.accepted)))
        }
        self.requests = requests
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

/// The kinds of messages that a reader can select. It always gets the others.
package enum FeedKind: String, CaseIterable, Sendable {
    case notifications, removed, requests, devices, clock, faults
}

/// One message. Its rows are read when it is sent, so that messages are small and rows are current.
enum FeedMessage: Sendable {
    /// New notifications up to `last`, and existing ones that changed.
    case notifications(since: UInt64, last: UInt64, changed: [UInt64])
    case removed([ChangeSet.Removed], isTruncated: Bool)
    case requests(since: UInt64, last: UInt64, accepted: UInt64)
    /// Devices that changed by themselves or by the pushes up to `last`.
    case devices(since: UInt64, last: UInt64, others: [String], removed: [String], isTruncated: Bool)
    case clock
    case faults
    /// Messages were lost; `next` is the newest notification.
    case gap(next: UInt64)

    /// nil for a message that every reader gets.
    var kind: FeedKind? {
        switch self {
        case .notifications: .notifications
        case .removed: .removed
        case .requests: .requests
        case .devices: .devices
        case .clock: .clock
        case .faults: .faults
        case .gap: nil
        }
    }

    /// An estimate of the memory that it takes.
    var byteCount: Int {
        switch self {
        case .notifications(_, _, let changed): 96 + 8 * changed.count
        case .removed(let removed, _): 96 + 40 * removed.count
        case .devices(_, _, let others, let removed, _):
            (others + removed).reduce(96) { $0 + 16 + $1.utf8.count }
        case .requests, .clock, .faults, .gap: 96
        }
    }
}
