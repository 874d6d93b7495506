package import APNs

/// Everything an interruption decision may depend on.
package struct InterruptionInputs: Sendable {
    /// As the service extension returned it.
    package var content: ContentTraits
    package var circumstances: PolicyContext
    /// On the device's clock.
    package var now: Instant
    /// Milliseconds since the last call from the same handle; nil when there was none.
    package var sinceLastCall: Int64?
    /// Whether this app has shown a Time Sensitive notification before (B.10).
    package var isTimeSensitiveIntroduced = false
    /// Whether this app's first quiet notification has been shown (B.1).
    package var isProvisionalIntroduced = false

    /// Puts inputs together.
    package init(content: ContentTraits, circumstances: PolicyContext, now: Instant) {
        self.content = content
        self.circumstances = circumstances
        self.now = now
    }
}

/// When a notification makes itself felt.
package enum Timing: UInt8, CaseIterable, Sendable, CustomStringConvertible {
    case now = 1
    /// At once, but only in Notification Center's history (provisional authorization).
    case quiet
    /// The frontmost app decides.
    case foreground
    /// A Focus holds the alert back; the notification is in Notification Center.
    case silencedByFocus
    /// It waits for the scheduled summary.
    case deferredToSummary
    /// Nothing of it is shown: notifications are not allowed.
    case notAllowed
    /// There is nothing to show: no alert text; sound and badge may remain.
    case nothingToShow

    package var description: String { name }

    /// The word in API and traces.
    package var name: String {
        switch self {
        case .now: "now"
        case .quiet: "quiet"
        case .foreground: "foreground"
        case .silencedByFocus: "silencedByFocus"
        case .deferredToSummary: "deferredToSummary"
        case .notAllowed: "notAllowed"
        case .nothingToShow: "nothingToShow"
        }
    }
}

/// What a push does on the device, one bit for each; in the order in which the events are told.
package struct Presentation: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The app's badge is set.
    package static let badge = Self(rawValue: 1 << 0)
    /// A banner over what is on the screen.
    package static let banner = Self(rawValue: 1 << 1)
    package static let lockScreen = Self(rawValue: 1 << 2)
    package static let notificationCenter = Self(rawValue: 1 << 3)
    /// The screen lights up.
    package static let screenLit = Self(rawValue: 1 << 4)
    package static let sound = Self(rawValue: 1 << 5)
    package static let haptic = Self(rawValue: 1 << 6)
    /// Siri reads it out.
    package static let announced = Self(rawValue: 1 << 7)
    package static let carPlay = Self(rawValue: 1 << 8)
    package static let carPlayRead = Self(rawValue: 1 << 9)
    package static let timeSensitiveLabel = Self(rawValue: 1 << 10)
    /// Set apart from the rest: Time Sensitive and critical ones.
    package static let prominent = Self(rawValue: 1 << 11)
    /// With the sender's picture.
    package static let avatar = Self(rawValue: 1 << 12)
    /// With the buttons Keep and Turn Off.
    package static let provisionalPrompt = Self(rawValue: 1 << 13)
    /// The system explains Time Sensitive notifications and offers to turn them off.
    package static let timeSensitivePrompt = Self(rawValue: 1 << 14)
    /// The banner stays until it is acted on.
    package static let persistentBanner = Self(rawValue: 1 << 15)
    /// The critical sound, which ignores the ring switch.
    package static let criticalSound = Self(rawValue: 1 << 16)
    /// In the lock screen's section "While in Focus".
    package static let whileInFocus = Self(rawValue: 1 << 17)
    /// The text is hidden (B.7).
    package static let hiddenPreview = Self(rawValue: 1 << 18)
}

/// What was decided about a push.
package struct InterruptionOutcome: Sendable, Hashable {
    /// The level in effect, after entitlements and settings.
    package var level = InterruptionLevel.active
    package var isCommunication = false
    package var timing = Timing.now
    package var presentation: Presentation = []

    package init() {}
}
