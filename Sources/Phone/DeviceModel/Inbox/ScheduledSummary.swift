package import Fields
package import Time

/// Settings > Notifications > Scheduled Summary.
package struct SummarySettings: FieldDescribed, Hashable {
    package var isEnabled = false
    package var times = [WallTime(hour: 8, minute: 0), WallTime(hour: 18, minute: 0)]
    package var showsNext = false

    package init() {}

    /// H.1.
    private static let timeCount = (range: 1...12, words: "1 to 12")

    package static let fields: [Field<SummarySettings>] = [
        Field("isEnabled", \.isEnabled, .flag, "Whether it is on."),
        Field("times", \.times, .list(.wallTime, count: timeCount), "When it is delivered, in the device's time zone."),
        Field("showsNext", \.showsNext, .flag, "Whether Notification Center shows the next one early."),
    ]

    package static let checks: [FieldCheck<SummarySettings>] = [.unique("times", \.times, \.text)]

    /// Two times in the same gap of the clock give one summary.
    package func nextDelivery(after instant: Instant, calendar: LocalCalendar) -> Instant? {
        isEnabled ? times.map { calendar.next($0, after: instant) }.min() : nil
    }
}

/// A scheduled summary as shown: featured notifications, then the rest by app.
package struct SummaryCard: Sendable, Hashable {
    /// By number, best first.
    package var featured: [UInt64]
    /// The app of the best notification first.
    package var groups: [Group]

    package struct Group: Sendable, Hashable {
        package var app: String
        /// By number: the best first, followed by the others of its thread.
        package var items: [UInt64]
    }

    package var order: [UInt64] { featured + groups.flatMap(\.items) }

    /// Assumption: a notification's rank is its relevance plus `summaryMediaWeight` for media, then its age (H.5).
    ///
    /// - Returns: nil without notifications, as there is then no summary (H.4).
    package init?(of items: [SummaryItem], assumptions: Assumptions) {
        guard !items.isEmpty else { return nil }
        let ranked = items.sorted { ($0.score(assumptions), $0.sequence) > ($1.score(assumptions), $1.sequence) }
        let featured = Self.featured(of: ranked, count: max(0, assumptions.summaryFeaturedCount))
        self.featured = featured
        let rest = ranked.filter { !featured.contains($0.sequence) }
        groups = rest.grouped(by: \.app).map { items in
            Group(app: items[0].app, items: items.grouped(by: \.thread).flatMap { $0.map(\.sequence) })
        }
    }

    private static func featured(of ranked: [SummaryItem], count: Int) -> [UInt64] {
        let leaders = ranked.grouped(by: \.app).map { $0[0].sequence }
        let others = ranked.map(\.sequence).filter { !leaders.contains($0) }
        let chosen = Set((leaders + others).prefix(count))
        return ranked.map(\.sequence).filter(chosen.contains)
    }
}

extension SummaryItem {
    fileprivate func score(_ assumptions: Assumptions) -> Double {
        relevanceScore + (hasMedia ? assumptions.summaryMediaWeight : 0)
    }
}

/// The properties of a notification that the scheduled summary depends on.
package struct SummaryItem: Sendable, Hashable, Codable {
    /// Higher is newer.
    package var sequence: UInt64
    package var app: String
    package var relevanceScore = 0.0
    package var hasMedia = false
    /// `thread-id`; empty when absent.
    package var thread = ""
    package var filterCriteria: String?
}

extension SummaryItem {
    package init(_ content: NotificationContent, sequence: UInt64, app: String) {
        self.init(
            sequence: sequence, app: app, relevanceScore: content.relevanceScore,
            hasMedia: !content.attachments.isEmpty, thread: content.threadIdentifier,
            filterCriteria: content.filterCriteria)
    }
}

/// The notifications that wait for a device's next scheduled summary, in the order of their delivery (H.4).
package struct PendingSummary: Sendable, Equatable {
    package private(set) var items: [SummaryItem]
    /// nil while nothing waits.
    package private(set) var dueAt: Instant?

    package init(_ items: [SummaryItem] = [], dueAt: Instant? = nil) { (self.items, self.dueAt) = (items, dueAt) }

    package enum Input: Sendable {
        case deferred(SummaryItem)
        /// The settings of the summary, or the time zone.
        case changed
        /// Apps whose notifications are no longer part of it.
        case left(Set<String>)
        /// Time has passed, or the device is on again.
        case time
        /// The clock went back.
        case setBack
    }

    /// - Returns: What the device shows now, as one card even if the summary was missed.
    package mutating func reduce(_ input: Input, at now: Instant, on device: DeviceConditions) -> [SummaryItem] {
        switch input {
        case .deferred(let item):
            items.append(item)
            // The first item sets the time; an existing one may belong to a summary whose notifications are gone.
            if items.count == 1 { dueAt = device.nextSummary(after: now) }
        case .changed:
            // A summary missed while the device is off is shown when it is on.
            if let dueAt, dueAt <= now { break }
            dueAt = items.isEmpty ? nil : device.nextSummary(after: now)
            // Assumption: switching the summary off shows its pending notifications at once.
            if dueAt == nil { return deliver(at: now, on: device) }
        case .left(let apps):
            // As if the summary were off for these apps.
            guard device.isPoweredOn else { break }
            defer { items.removeAll { apps.contains($0.app) } }
            return items.filter { apps.contains($0.app) }
        case .time: if let dueAt, dueAt <= now { return deliver(at: now, on: device) }
        case .setBack: if let due = dueAt, due > now { dueAt = device.nextSummary(after: now) ?? due }
        }
        return []
    }

    private mutating func deliver(at now: Instant, on device: DeviceConditions) -> [SummaryItem] {
        guard device.isPoweredOn else {
            dueAt = items.isEmpty ? nil : now
            return []
        }
        defer { self = PendingSummary() }
        return items
    }

    /// The notification is no longer listed.
    package mutating func remove(_ sequence: UInt64) { items.removeAll { $0.sequence == sequence } }
}

extension DeviceConditions {
    package func nextSummary(after now: Instant) -> Instant? {
        calendar.flatMap { summary.nextDelivery(after: now, calendar: $0) }
    }
}
