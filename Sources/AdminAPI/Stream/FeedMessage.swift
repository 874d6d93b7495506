internal import DeviceSimulator

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
