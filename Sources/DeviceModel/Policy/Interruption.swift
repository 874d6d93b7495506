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

/// The decision about a push.
package struct InterruptionOutcome: Sendable, Hashable {
    /// After entitlements and settings.
    package var level = InterruptionLevel.active
    package var isCommunication = false
    package var timing = Timing.now
    package var presentation: Presentation = []

    package init() {}
}
