package import Time

/// What happened on a device from one midnight to the next in its time zone.
package struct DeviceDay: Sendable, Hashable {
    package var device: String
    package var date: LocalDate
    package var timeZone: String
    package var calendar: LocalCalendar
    /// 23, 24 or 25 hours.
    package var range: Range<Instant>
    /// On the gateway's clock; may be on another day.
    package var now: Instant
    package var focus: [FocusPeriod] = []
    package var outages: [Outage] = []
    /// Oldest first; the scheduled ones come last.
    package var summaries: [Summary] = []
    /// Most pushes first.
    package var lanes: [Lane] = []
    /// How many more pushes there were, all older than these.
    package var omittedCount = 0
    /// Whether the day's beginning is lost, evicted from a full log or inbox.
    package var hasGap = false

    package init(device: String, date: LocalDate, timeZone: String, calendar: LocalCalendar, now: Instant) {
        self.device = device
        self.date = date
        self.timeZone = timeZone
        self.calendar = calendar
        self.now = now
        range = calendar.range(of: date)
    }

    package struct FocusPeriod: Sendable, Hashable, Codable {
        package var id: String
        package var name: String
        package var from: Instant
        package var to: Instant
        package var range: Range<Instant> { from..<to }

        package init(id: String, name: String, range: Range<Instant>) {
            (self.id, self.name, from, to) = (id, name, range.lowerBound, range.upperBound)
        }
    }

    /// A period in which nothing reached the device.
    package struct Outage: Sendable, Hashable, Codable {
        package var kind: Kind
        package var from: Instant
        package var to: Instant
        package var range: Range<Instant> { from..<to }

        package enum Kind: String, CaseIterable, Codable, Sendable { case offline, off }

        package init(kind: Kind, range: Range<Instant>) {
            (self.kind, from, to) = (kind, range.lowerBound, range.upperBound)
        }
    }

    package struct Summary: Sendable, Hashable {
        package var at: Instant
        /// nil while it is only scheduled.
        package var notifications: [UInt64]?

        package init(at: Instant, notifications: [UInt64]? = nil) {
            self.at = at
            self.notifications = notifications
        }
    }

    /// The pushes to an app, in the order of receipt.
    package struct Lane: Sendable, Hashable, Codable {
        package var app: String
        package var name: String
        package var pushes: [Push]

        package init(app: String, name: String, pushes: [Push]) {
            self.app = app
            self.name = name
            self.pushes = pushes
        }
    }

    package struct Push: Sendable, Hashable, Codable {
        package var notification: UInt64
        /// Its title or first text, else its push type; cut to `longestText` characters.
        package var text: String
        /// nil unless it is a delivered alert.
        package var level: InterruptionLevel?
        package var outcome: PushOutcome
        package var receivedAt: Instant
        package var settledAt: Instant
        /// nil when the person did not see it, or not yet.
        package var shownAt: Instant?
        package var `extension`: ExtensionPeriod?

        package static let longestText = 80

        package init(
            notification: UInt64, text: String, level: InterruptionLevel?, outcome: PushOutcome, receivedAt: Instant,
            settledAt: Instant, shownAt: Instant?
        ) {
            self.notification = notification
            self.text = text
            self.level = level
            self.outcome = outcome
            self.receivedAt = receivedAt
            self.settledAt = settledAt
            self.shownAt = shownAt
        }

        /// Where its mark ends in a plot: at its arrival if it was dropped or is waiting.
        package var endedAt: Instant {
            if let shownAt { return shownAt }
            return outcome == .dropped || outcome == .waiting ? receivedAt : settledAt
        }
    }

    package struct ExtensionPeriod: Sendable, Hashable, Codable {
        package var from: Instant
        package var to: Instant
        package var end: ExtensionRun.End
        package var range: Range<Instant> { from..<to }

        package init(range: Range<Instant>, end: ExtensionRun.End) {
            (from, to, self.end) = (range.lowerBound, range.upperBound, end)
        }
    }
}

/// What became of a push, in one word.
package enum PushOutcome: String, CaseIterable, Codable, Sendable {
    /// The person was told at once, for example by a banner, a sound or the lit screen.
    case alerted
    /// Only in a list, without a sound: passive, silenced by a Focus, or provisional.
    case quiet
    /// For the scheduled summary.
    case deferred
    /// Stored for the device, or with its service extension.
    case waiting
    /// Discarded, or delivered and not shown at all.
    case dropped
    /// No alert, or left to the app.
    case other

    /// - Parameter presentation: As delivered.
    package init(_ state: DeliveryState, _ timing: Timing?, _ level: InterruptionLevel, _ presentation: Presentation) {
        self =
            switch (state.kind, timing) {
            case (.discarded, _): .dropped
            case (.accepted, _), (.stored, _): .waiting
            case (.delivered, .now) where presentation.tells(level): .alerted
            case (.delivered, .now) where presentation.hasAny(of: .surfaces): .quiet
            case (.delivered, .now): presentation.hasAny(of: .badge) ? .other : .dropped
            case (.delivered, .quiet), (.delivered, .silencedByFocus): .quiet
            case (.delivered, .deferredToSummary): .deferred
            case (.delivered, .notAllowed): .dropped
            case (.delivered, .foreground): presentation.tells(level) ? .alerted : .other
            case (.delivered, .nothingToShow), (.delivered, nil): .other
            }
    }

    /// For people; the page has the same.
    package var word: String {
        switch self {
        case .deferred: "for the summary"
        case .other: "no alert"
        default: rawValue
        }
    }
}
