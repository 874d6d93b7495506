package import APNs

/// What happened on a device from one midnight to the next in its time zone; also the admin API's answer.
package struct DeviceDay: Hashable, Codable, Sendable {
    package var device: String
    package var date: LocalDate
    package var timeZone: String
    package var from: Instant
    /// After 23, 24 or 25 hours.
    package var to: Instant
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

    package init(device: String, date: LocalDate, timeZone: String, now: Instant) {
        (self.device, self.date, self.timeZone, self.now) = (device, date, timeZone, now)
        let range = Self.calendar(in: timeZone).range(of: date)
        (from, to) = (range.lowerBound, range.upperBound)
    }

    package var calendar: LocalCalendar { Self.calendar(in: timeZone) }

    private static func calendar(in timeZone: String) -> LocalCalendar {
        LocalCalendar(timeZone: timeZone) ?? LocalCalendar()
    }

    package var range: Range<Instant> { from..<to }

    package struct FocusPeriod: Hashable, Codable, Sendable {
        package var id: String
        package var name: String
        package var from: Instant
        package var to: Instant

        package init(id: String, name: String, range: Range<Instant>) {
            (self.id, self.name, from, to) = (id, name, range.lowerBound, range.upperBound)
        }

        package var range: Range<Instant> { from..<to }
    }

    /// A period in which nothing reached the device.
    package struct Outage: Hashable, Codable, Sendable {
        package var kind: Kind
        package var from: Instant
        package var to: Instant

        package enum Kind: String, CaseIterable, Codable, Sendable { case offline, off }

        package init(kind: Kind, range: Range<Instant>) {
            (self.kind, from, to) = (kind, range.lowerBound, range.upperBound)
        }

        package var range: Range<Instant> { from..<to }
    }

    package struct Summary: Hashable, Codable, Sendable {
        package var at: Instant
        package var isDelivered: Bool
        /// nil while it is only scheduled.
        package var notifications: [UInt64]?

        package init(at: Instant, notifications: [UInt64]? = nil) {
            (self.at, isDelivered, self.notifications) = (at, notifications != nil, notifications)
        }
    }

    /// The pushes to an app, in the order of receipt.
    package struct Lane: Hashable, Codable, Sendable {
        package var app: String
        package var name: String
        package var pushes: [Push]

        package init(app: String, name: String, pushes: [Push]) {
            (self.app, self.name, self.pushes) = (app, name, pushes)
        }
    }

    package struct Push: Hashable, Codable, Sendable {
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
            (self.notification, self.text, self.level, self.outcome) = (notification, text, level, outcome)
            (self.receivedAt, self.settledAt, self.shownAt) = (receivedAt, settledAt, shownAt)
        }

        /// Where its mark ends in a plot: at its arrival if it was dropped or is waiting.
        package var endedAt: Instant {
            if let shownAt { return shownAt }
            return outcome == .dropped || outcome == .waiting ? receivedAt : settledAt
        }
    }

    package struct ExtensionPeriod: Hashable, Codable, Sendable {
        package var from: Instant
        package var to: Instant
        package var end: ExtensionRun.End

        package init(range: Range<Instant>, end: ExtensionRun.End) {
            (from, to, self.end) = (range.lowerBound, range.upperBound, end)
        }
    }
}

/// What became of a push, in one word.
package enum PushOutcome: String, CaseIterable, Codable, Sendable {
    case alerted
    /// Delivered, but only into the list: silenced by a Focus, or provisional.
    case quiet
    /// For the scheduled summary.
    case deferred
    /// Stored for the device, or with its service extension.
    case waiting
    case dropped
    /// No alert, or left to the app.
    case other

    package init(_ state: DeliveryState, _ timing: Timing?) {
        self =
            switch (state.kind, timing) {
            case (.discarded, _): .dropped
            case (.accepted, _), (.stored, _): .waiting
            case (.delivered, .now): .alerted
            case (.delivered, .quiet), (.delivered, .silencedByFocus): .quiet
            case (.delivered, .deferredToSummary): .deferred
            case (.delivered, .notAllowed): .dropped
            case (.delivered, .foreground), (.delivered, .nothingToShow), (.delivered, nil): .other
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
