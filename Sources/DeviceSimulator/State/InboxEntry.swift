internal import APNs
internal import DeviceModel

/// A notification as its device remembers it, in 48 bytes; its texts stay in the push.
struct InboxEntry {
    /// The notification's number.
    let sequence: UInt64
    /// What surrounded the decision about it.
    var context: PolicyContext
    /// The number of its event `received`.
    let receivedEvent: UInt64
    /// The number of the first event of its delivery; 0 before.
    var deliveryEvent: UInt64 = 0
    /// What it did on the device.
    var presentation: Presentation = []
    private var settleDelayLow: UInt32 = 0
    /// The upper bits of `settleDelay`, where alignment leaves room.
    private var settleDelayHigh: UInt16 = 0
    /// How far it has come.
    var state = DeliveryState.accepted
    /// What kind of push it is; an absent header was filled in from the token and the payload.
    let kind: PushType
    /// When it made itself felt; nil unless it is a delivered alert.
    var timing: Timing?
    /// The level in effect.
    var level = InterruptionLevel.active
    /// Where it can be seen now.
    var places: Places = []
    /// 1 and more: the place of its category among those of the app, plus 1.
    var categoryNumber: UInt8 = 0

    init(sequence: UInt64, context: PolicyContext, receivedEvent: UInt64, kind: PushType) {
        self.sequence = sequence
        self.context = context
        self.receivedEvent = receivedEvent
        self.kind = kind
    }

    /// Milliseconds from receipt until the state was reached, in 48 bits: up to 8,919 years, far beyond any expiration.
    var settleDelay: UInt64 {
        get { UInt64(settleDelayHigh) << 32 | UInt64(settleDelayLow) }
        set {
            let delay = min(newValue, Self.longestDelay)
            settleDelayHigh = UInt16(delay >> 32)
            settleDelayLow = UInt32(truncatingIfNeeded: delay)
        }
    }

    private static let longestDelay: UInt64 = 1 << 48 - 1

    /// When its state was reached.
    ///
    /// - Parameter push: The entry's own.
    func settledAt(_ push: Push) -> Instant { push.receivedAt.advanced(by: Int64(settleDelay)) }

    /// Remembers when its state was reached.
    mutating func setSettled(at instant: Instant, _ push: Push) {
        settleDelay = UInt64(clamping: instant.milliseconds(since: push.receivedAt))
    }

    /// Notes how far it has come.
    mutating func settle(_ state: DeliveryState, _ push: Push, at now: Instant) {
        self.state = state
        setSettled(at: now, push)
    }

    /// Notes that it is delivered; the events of that have the numbers after `last`.
    ///
    /// - Returns: The last of them.
    mutating func complete(_ push: Push, at now: Instant, after last: UInt64) -> UInt64 {
        settle(.delivered, push, at: now)
        deliveryEvent = last + 1
        return last + deliveryEventCount
    }

    /// Whether it is in the lock screen's section "While in Focus": all that a Focus silenced is, also once it ended (B.4).
    var isUnderFocus: Bool { timing == .silencedByFocus && places.contains(.lockScreen) }

    /// Notes what it did on the device.
    mutating func present(_ outcome: InterruptionOutcome, in places: Places) {
        presentation = outcome.presentation
        timing = outcome.timing
        level = outcome.level
        self.places = places
    }

    /// The category it was delivered with; nil when the app had registered none of the name.
    var category: NotificationCategory? {
        categoryNumber == 0 ? nil : context.app.categories[Int(categoryNumber) - 1]
    }

    /// Remembers the category that the content names.
    mutating func setCategory(_ identifier: String) {
        let index = context.app.categories.prefix(255 - 1).firstIndex { $0.identifier == identifier }
        categoryNumber = UInt8((index ?? -1) + 1)
    }
}

/// Where a notification can be seen, and what is still to come of it.
package struct Places: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// In the list of the lock screen.
    package static let lockScreen = Self(rawValue: 1)
    package static let notificationCenter = Self(rawValue: 2)
    /// Waits for the scheduled summary.
    package static let nextSummary = Self(rawValue: 4)
    /// A Focus holds its alert back.
    package static let withheld = Self(rawValue: 8)
    /// It woke its app as well.
    static let wokeApp = Self(rawValue: 16)
    /// It is shown as a communication.
    static let communication = Self(rawValue: 32)
    /// It was a call that came again soon.
    static let repeatedCall = Self(rawValue: 64)
    /// Its banner has come, and nothing was done with it yet.
    static let banner = Self(rawValue: 128)

    /// The words in API and command line.
    package var names: [String] {
        [
            (Self.lockScreen, "lockScreen"), (.notificationCenter, "notificationCenter"), (.nextSummary, "nextSummary"),
        ].filter { contains($0.0) }.map(\.1)
    }

    /// Whether the person can still find it somewhere, now or with the next summary.
    var isVisible: Bool { !isDisjoint(with: [.lockScreen, .notificationCenter, .nextSummary]) }

    /// Whether it stands in a list that the person can open now.
    var isListed: Bool { !isDisjoint(with: [.lockScreen, .notificationCenter]) }

    /// Whether there is something to remove: it can be found, or a Focus will show it when it ends.
    var isPresent: Bool { isVisible || contains(.withheld) }

    /// Not to be found any more.
    mutating func vanish() { subtract([.lockScreen, .notificationCenter, .nextSummary, .withheld, .banner]) }
}

extension InboxEntry: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.sequence == right.sequence && left.receivedEvent == right.receivedEvent
            && left.deliveryEvent == right.deliveryEvent && left.presentation == right.presentation
            && left.settleDelay == right.settleDelay && left.state == right.state && left.kind == right.kind
            && left.timing == right.timing && left.level == right.level && left.places == right.places
            && left.categoryNumber == right.categoryNumber
    }
}
