package import APNs

/// A date of the Gregorian calendar, such as 2026-11-23.
package struct LocalDate: Sendable, Hashable {
    /// Counts from 1970-01-01.
    package let day: Int64

    package init(day: Int64) { self.day = day }

    /// Reads `2026-11-23`; nil for anything but a date.
    package init?(text: String) {
        guard text.utf8.count == 10, let midnight = Instant(text: text + "T00:00:00Z") else { return nil }
        day = midnight.day
    }

    package var text: String { String(Instant(wholeSeconds: day * 86400).text.prefix(10)) }

    package var weekday: Weekday { Weekday(ofDay: day) }
}

extension LocalCalendar {
    /// From one midnight to the next: 23 to 25 hours.
    package func range(of date: LocalDate) -> Range<Instant> {
        let midnight = WallTime(hour: 0, minute: 0)
        let start = instant(of: midnight, onDay: date.day)
        return start..<max(start, instant(of: midnight, onDay: date.day + 1))
    }
}
