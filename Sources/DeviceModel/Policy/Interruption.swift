package import APNs

/// Everything that an interruption decision may depend on.
package struct InterruptionInputs: Sendable {
    /// After the service extension.
    package var content: ContentTraits
    package var context: PolicyContext
    /// On the device's clock.
    package var now: Instant
    /// Milliseconds since the last call from the same handle; nil without one.
    package var sinceLastCall: Int64?
    /// Whether this app has shown a Time Sensitive notification (B.10).
    package var isTimeSensitiveIntroduced = false
    /// Whether this app has shown a quiet notification (B.1).
    package var isProvisionalIntroduced = false

    package init(content: ContentTraits, context: PolicyContext, now: Instant) {
        self.content = content
        self.context = context
        self.now = now
    }
}

/// When a notification alerts.
package enum Timing: String, CaseIterable, Sendable {
    case now
    /// At once, but only in Notification Center's history (provisional authorization).
    case quiet
    case foreground
    /// A Focus holds the alert back; the notification is in Notification Center.
    case silencedByFocus
    case deferredToSummary
    case notAllowed
    /// No alert text; sound and badge may remain.
    case nothingToShow
}

/// A push's effects on the device, as bits in the order of their events; `Presentation.words` explains each.
package struct Presentation: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Whether it has any of these; what `OptionSet` has is not specialised for other modules (Swift 6.3).
    package func hasAny(of others: Presentation) -> Bool { rawValue & others.rawValue != 0 }

    /// How many of these it has.
    package func count(of others: Presentation) -> Int { (rawValue & others.rawValue).nonzeroBitCount }

    package static let badge = Self(rawValue: 1 << 0)
    package static let banner = Self(rawValue: 1 << 1)
    package static let lockScreen = Self(rawValue: 1 << 2)
    package static let notificationCenter = Self(rawValue: 1 << 3)
    package static let screenLit = Self(rawValue: 1 << 4)
    package static let sound = Self(rawValue: 1 << 5)
    package static let haptic = Self(rawValue: 1 << 6)
    package static let announced = Self(rawValue: 1 << 7)
    package static let carPlay = Self(rawValue: 1 << 8)
    package static let carPlayRead = Self(rawValue: 1 << 9)
    package static let timeSensitiveLabel = Self(rawValue: 1 << 10)
    /// Set apart from the rest: Time Sensitive and critical notifications.
    package static let prominent = Self(rawValue: 1 << 11)
    package static let avatar = Self(rawValue: 1 << 12)
    package static let provisionalPrompt = Self(rawValue: 1 << 13)
    package static let timeSensitivePrompt = Self(rawValue: 1 << 14)
    package static let persistentBanner = Self(rawValue: 1 << 15)
    package static let criticalSound = Self(rawValue: 1 << 16)
    package static let whileInFocus = Self(rawValue: 1 << 17)
    package static let hiddenPreview = Self(rawValue: 1 << 18)
}

/// The decision about a push.
package struct InterruptionOutcome: Sendable, Hashable {
    /// After entitlements and settings.
    package var level = InterruptionLevel.active
    package var isCommunication = false
    package var timing = Timing.now
    package var presentation: Presentation = []

    package init() {}
}

extension InterruptionOutcome {
    package var sentence: String {
        let noticed = presentation.sentencePart
        return "\(reason): \(noticed.isEmpty ? "nothing noticeable" : noticed)."
    }

    private var reason: String {
        switch timing {
        case .now: "\(kind), delivered at once"
        case .quiet: "\(kind), delivered quietly because the app's authorization is provisional"
        case .foreground: "\(kind), handed to the foreground app"
        case .silencedByFocus: "\(kind), silenced by the Focus"
        case .deferredToSummary: "\(kind), deferred to the scheduled summary"
        case .notAllowed: "Not shown because the app's notifications are not allowed"
        case .nothingToShow: "No text to show"
        }
    }

    private var kind: String {
        let level =
            switch level {
            case .passive: "Passive"
            case .active: "Active"
            case .timeSensitive: "Time Sensitive"
            case .critical: "Critical"
            }
        return isCommunication ? "\(level) communication" : level
    }
}
