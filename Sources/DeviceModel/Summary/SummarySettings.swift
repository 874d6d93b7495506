package import APNs
package import Fields

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
}

extension SummarySettings {
    /// Two times in the same gap of the clock give one summary.
    package func nextDelivery(after instant: Instant, calendar: LocalCalendar) -> Instant? {
        isEnabled ? times.map { calendar.next($0, after: instant) }.min() : nil
    }
}
