internal import APNs
internal import DeviceModel
internal import RequestWire
internal import Time

/// A notification on its device, in 48 bytes; its texts are in the push.
struct InboxEntry {
    let sequence: UInt64
    /// As of the decision.
    var context: PolicyContext
    let receivedEvent: UInt64
    /// The first event of its delivery; 0 before delivery.
    var deliveryEvent: UInt64 = 0
    /// Not `[]`, which is not specialised for another module (Swift 6.3): 2 % of a push.
    var presentation = Presentation(rawValue: 0)
    private var stateDelayLow: UInt32 = 0
    /// The upper bits of `stateDelay`, where alignment leaves room.
    private var stateDelayHigh: Int16 = 0
    var state = DeliveryState.accepted
    let kind: PushType
    /// nil unless it is a delivered alert.
    var timing: Timing?
    var level = InterruptionLevel.active
    var places: Places = []
    /// The index of its category among the app's, plus 1; 0 for none.
    var categoryNumber: UInt8 = 0

    init(sequence: UInt64, context: PolicyContext, receivedEvent: UInt64, kind: PushType) {
        self.sequence = sequence
        self.context = context
        self.receivedEvent = receivedEvent
        self.kind = kind
    }

    /// Milliseconds from receipt to the current state, in 48 bits: up to 4,459 years, far beyond any expiration. Negative
    /// if the clock went back meanwhile.
    var stateDelay: Int64 {
        get { Int64(stateDelayHigh) << 32 | Int64(stateDelayLow) }
        set {
            let delay = min(max(newValue, -Self.longestDelay), Self.longestDelay)
            stateDelayHigh = Int16(delay >> 32)
            stateDelayLow = UInt32(truncatingIfNeeded: delay)
        }
    }

    private static let longestDelay: Int64 = 1 << 47 - 1

    func settledAt(_ push: Push) -> Instant { push.receivedAt.advanced(by: stateDelay) }

    mutating func setSettledAt(_ instant: Instant, _ push: Push) {
        stateDelay = instant.milliseconds(since: push.receivedAt)
    }

    mutating func enter(_ state: DeliveryState, _ push: Push, at now: Instant) {
        self.state = state
        setSettledAt(now, push)
    }

    /// Returns the number of the last event; the delivery's events are numbered from `last` + 1.
    mutating func complete(_ push: Push, at now: Instant, after last: UInt64) -> UInt64 {
        enter(.delivered, push, at: now)
        deliveryEvent = last + 1
        return last + deliveryEventCount
    }

    /// Which wake-up of its app within an hour a delivered background push was, at most 255; nil if it woke no app. In the
    /// upper bits of `presentation`, which a background push does not need.
    var wakeNumber: Int? {
        get {
            let number = Int(presentation.rawValue >> Self.wakeNumberShift)
            return number == 0 ? nil : number
        }
        set { presentation = Presentation(rawValue: UInt32(UInt8(clamping: newValue ?? 0)) << Self.wakeNumberShift) }
    }

    private static let wakeNumberShift = 24

    /// In the lock screen's section "While in Focus": everything a Focus silenced, even after it ended (B.4).
    var isUnderFocus: Bool { timing == .silencedByFocus && places.contains(.lockScreen) }

    mutating func present(_ outcome: InterruptionOutcome, in places: Places) {
        presentation = outcome.presentation
        timing = outcome.timing
        level = outcome.level
        self.places = places
    }

    /// The category at delivery; nil when the app had not registered it.
    var category: NotificationCategory? { categoryNumber == 0 ? nil : context.app.categories[Int(categoryNumber) - 1] }

    mutating func setCategory(_ identifier: String) {
        let index = context.app.categories.prefix(255 - 1).firstIndex { $0.identifier == identifier }
        categoryNumber = UInt8((index ?? -1) + 1)
    }
}

/// Where a notification is visible, and facts about its delivery that later events need.
package struct Places: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let lockScreen = Self(rawValue: 1)
    package static let notificationCenter = Self(rawValue: 2)
    package static let nextSummary = Self(rawValue: 4)
    package static let withheld = Self(rawValue: 8)
    static let wokeApp = Self(rawValue: 16)
    static let communication = Self(rawValue: 32)
    static let repeatedCall = Self(rawValue: 64)
    /// Its banner was shown, and the person has not acted on it.
    static let banner = Self(rawValue: 128)

    /// Those that the API names.
    package static let words: [(bit: Places, name: String)] = [
        (.lockScreen, "lockScreen"), (.notificationCenter, "notificationCenter"), (.nextSummary, "nextSummary"),
    ]

    package var names: [String] { Self.words.filter { contains($0.bit) }.map(\.name) }

    /// Whether the person can find it, now or with the next summary.
    var isVisible: Bool { !isDisjoint(with: [.lockScreen, .notificationCenter, .nextSummary]) }

    var isListed: Bool { !isDisjoint(with: [.lockScreen, .notificationCenter]) }

    /// Whether it is visible, or was shown in a banner only, or will be visible when a Focus ends.
    var isPresent: Bool { isVisible || !isDisjoint(with: [.withheld, .banner]) }

    /// Whether the app's list of delivered notifications has it: what is still in Notification Center (I.6). The app can
    /// remove nothing else.
    func isDelivered(_ assumptions: Assumptions) -> Bool {
        if contains(.nextSummary) { return assumptions.deliveredListsDeferred }
        return contains(.notificationCenter) && (assumptions.deliveredListsSilenced || !contains(.withheld))
    }

    mutating func hide() { subtract([.lockScreen, .notificationCenter, .nextSummary, .withheld, .banner]) }
}

/// A device's notifications, oldest first, with cheap appends and removals of the oldest.
struct Inbox: Sendable {
    private var storage: ContiguousArray<InboxEntry> = []
    private var head = 0

    var count: Int { storage.count - head }
    var items: ArraySlice<InboxEntry> { storage[head...] }
    var indices: Range<Int> { head..<storage.count }

    subscript(index: Int) -> InboxEntry {
        // The storage's own subscript copies; a span does not.
        @inline(__always) get { storage.span[index] }
        @inline(__always) _modify { yield &storage[index] }
    }

    mutating func append(_ item: consuming InboxEntry) {
        // Grow by half: most inboxes are small, and doubling would waste memory.
        if storage.count == storage.capacity { storage.reserveCapacity(storage.count + max(4, storage.count / 2)) }
        storage.append(item)
    }

    mutating func remove(_ sequence: UInt64) {
        if head < storage.count, storage[head].sequence == sequence {
            head += 1
            // Moving the rest only when half is free keeps space and time linear.
            if head >= 16, head * 2 >= storage.count {
                storage.removeFirst(head)
                head = 0
            }
        } else if let index = index(of: sequence) {
            storage.remove(at: index)
        }
    }

    func index(of sequence: UInt64) -> Int? {
        guard sequence > 0, head < storage.count else { return nil }
        // Most removals are of the oldest.
        if storage[head].sequence == sequence { return head }
        let index = index(after: sequence - 1)
        return index < storage.count && storage[index].sequence == sequence ? index : nil
    }

    func items(after sequence: UInt64) -> ArraySlice<InboxEntry> { storage[index(after: sequence)...] }

    func items(before sequence: UInt64) -> ArraySlice<InboxEntry> {
        sequence == 0 ? [] : storage[head..<index(after: sequence - 1)]
    }

    private func index(after sequence: UInt64) -> Int { indices.partitionPoint { storage[$0].sequence <= sequence } }
}
