internal import DeviceModel

/// What happens to a device.
enum DeviceEvent {
    /// A push arrived; `verdict` is what its payload's scan says, `capacity` what the inbox may hold.
    case received(sequence: UInt64, verdict: DiscardReason?, capacity: Int)
    /// All inboxes together were full and a notification had to go.
    case dropped(sequence: UInt64)
    /// Somebody cleared a notification.
    case cleared(sequence: UInt64)
    /// The device was deleted; pushes may still be under way to it.
    case deleted
}

/// What follows from an event.
enum DeviceEffect: Equatable {
    /// The push's way ended in this state; `dropped` is the notification that had to make room.
    case settled(DeliveryState, dropped: UInt64?)
    /// There is no inbox to put the push in.
    case unreachable
    /// Nothing to be done elsewhere.
    case none
}

/// A device's state, a value that changes through `reduce` only.
struct DeviceState {
    /// What the inbox holds, oldest first, by sequence number.
    private(set) var inbox = SequenceQueue()
    private(set) var counts = DeliveryCounts()
    /// The newest notification that was dropped: a cursor before it misses something.
    private(set) var lastDropped: UInt64 = 0
    private var isDeleted = false

    /// Takes an event in.
    mutating func reduce(_ event: DeviceEvent) -> DeviceEffect {
        switch event {
        case .received(let sequence, let verdict, let capacity):
            if isDeleted { return .unreachable }
            let dropped = inbox.count < capacity ? nil : inbox.first
            if let dropped { drop(dropped) }
            inbox.append(sequence)
            guard let verdict else {
                counts.delivered += 1
                return .settled(.delivered, dropped: dropped)
            }
            counts.discarded += 1
            return .settled(.discarded(verdict), dropped: dropped)
        case .dropped(let sequence): drop(sequence)
        case .cleared(let sequence):
            inbox.remove(sequence)
            counts.cleared += 1
        case .deleted: isDeleted = true
        }
        return .none
    }

    private mutating func drop(_ sequence: UInt64) {
        inbox.remove(sequence)
        counts.dropped += 1
        lastDropped = max(lastDropped, sequence)
    }

    init() {}

    /// A state as it was saved, but for the inbox.
    init(counts: DeliveryCounts, lastDropped: UInt64) {
        self.counts = counts
        self.lastDropped = lastDropped
    }

    /// Puts a saved notification back; its counts are saved too.
    mutating func restore(_ sequence: UInt64) {
        inbox.append(sequence)
    }
}
