package import APNs
package import Fields

/// Settings > Notifications > Scheduled Summary.
package struct SummarySettings: Sendable, Hashable {
    package var isEnabled = false
    package var times = [WallTime(hour: 8, minute: 0), WallTime(hour: 18, minute: 0)]
    package var showsNext = false

    package init() {}
}

extension SummarySettings {
    /// How many summaries a day may have (H.1).
    package static let timesPerDay = 1...12

    /// When the next summary comes; nil when there is none.
    ///
    /// Two times that the clock skips together come together, as one summary.
    package func nextDelivery(after instant: Instant, calendar: LocalCalendar) -> Instant? {
        isEnabled ? times.map { calendar.next($0, after: instant) }.min() : nil
    }

    /// Refuses times that a person could not have chosen.
    package func validate() throws(Problem) {
        guard Self.timesPerDay.contains(times.count) else { throw .timeCount(times.count) }
        var seen: Set<WallTime> = []
        for time in times where !seen.insert(time).inserted { throw .repeatedTime(time) }
    }

    /// Why settings cannot be.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The number of times is outside `timesPerDay`.
        case timeCount(Int)
        /// A time that stands twice.
        case repeatedTime(WallTime)

        package var description: String {
            switch self {
            case .timeCount(let count): "a summary comes 1 to 12 times a day, not \(count) times"
            case .repeatedTime(let time): "the time \(time.text) stands twice"
            }
        }
    }
}

extension SummarySettings: FieldDescribed {
    private static let timeCount = (
        range: timesPerDay, words: "\(timesPerDay.lowerBound) to \(timesPerDay.upperBound)"
    )

    package static let fields: [Field<SummarySettings>] = [
        Field("isEnabled", \.isEnabled, .flag, "Whether there is a summary."),
        Field("times", \.times, .list(.wallTime, count: timeCount), "When it comes, in the device's time zone."),
        Field("showsNext", \.showsNext, .flag, "Whether Notification Center shows what waits for the next one."),
    ]
}
