package import Fields
package import Time

/// The components of a date that a calendar trigger compares (`DateComponents`); nil matches any.
package struct DatePattern: FieldDescribed, Hashable {
    package var year: Int?
    package var quarter: Int?
    package var month: Int?
    package var day: Int?
    /// 1 is Sunday.
    package var weekday: Int?
    /// Which such weekday of the month: 2 is the second.
    package var weekdayOrdinal: Int?
    package var hour: Int?
    package var minute: Int?
    package var second: Int?
    /// nil follows the device's time zone.
    package var timeZone: String?

    package init() {}

    package var isEmpty: Bool {
        [year, quarter, month, day, weekday, weekdayOrdinal, hour, minute, second].allSatisfy { $0 == nil }
    }

    package static let fields: [Field<DatePattern>] = [
        Field("year", \.year, .optional(.integer(in: 1...9999)), "The year."),
        Field("quarter", \.quarter, .optional(.integer(in: 0...4)), "The quarter; with 0, iOS never fires."),
        Field("month", \.month, .optional(.integer(in: 1...12)), "The month."),
        Field("day", \.day, .optional(.integer(in: 1...31)), "The day of the month."),
        Field("weekday", \.weekday, .optional(.integer(in: 1...7)), "The day of the week; 1 is Sunday."),
        Field(
            "weekdayOrdinal", \.weekdayOrdinal, .optional(.integer(in: 1...5)),
            "Which of the month's such weekdays: 2 with weekday 3 is the second Tuesday."),
        Field("hour", \.hour, .optional(.integer(in: 0...23)), "The hour."),
        Field("minute", \.minute, .optional(.integer(in: 0...59)), "The minute."),
        Field("second", \.second, .optional(.integer(in: 0...59)), "The second."),
        Field("timeZone", \.timeZone, .optional(.timeZone), "Default: the device's time zone, whatever it is then."),
    ]
}

/// Components larger than the smallest given one match anything if absent; smaller ones are at their minimum (N4).
extension DatePattern {
    /// Patterns repeat within this time; 29 February on a given weekday may need 40 years.
    private static let longestSearch: Int64 = 60

    /// - Parameter device: the device's calendar.
    /// - Returns: The first match after an instant; nil when there is none.
    package func next(after instant: Instant, device: LocalCalendar, _ rules: Assumptions) -> Instant? {
        if quarter == 0, rules.localQuarterBlocks { return nil }
        guard let calendar = timeZone.map({ LocalCalendar(timeZone: $0) }) ?? device, !isEmpty else { return nil }
        // A day earlier, as a change of the clock may move a time to the next day.
        let start = calendar.day(at: instant) - 1
        let today = Instant.date(fromDay: start)
        var year = max(today.year, Int64(self.year ?? 0))
        let lastYear = self.year.map { Int64($0) } ?? year + Self.longestSearch
        var month = year == today.year ? today.month : 1
        while year <= lastYear {
            for day in days(inMonth: month, of: year, rules) where day >= start {
                if let found = firstTime(onDay: day, after: instant, calendar, rules) { return found }
            }
            (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
        }
        return nil
    }

    private var hasTime: Bool { hour != nil || minute != nil || second != nil }
    private var hasDay: Bool { day != nil || weekday != nil || weekdayOrdinal != nil }

    /// The matching days of a month, which may include the first day of the next one.
    private func days(inMonth month: Int64, of year: Int64, _ rules: Assumptions) -> [Int64] {
        let isOpen = hasTime || hasDay
        if let wanted = self.month {
            guard month == wanted else { return [] }
        } else if let quarter, quarter > 0 {
            guard (month - 1) / 3 + 1 == quarter, isOpen || month % 3 == 1 else { return [] }
        } else if !isOpen {
            guard month == 1 else { return [] }
        }
        let first = Instant.day(year: year, month: month, day: 1)
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        let count = Instant.day(year: next.0, month: next.1, day: 1) - first
        var days = first..<first + count
        if let day {
            if day > count, rules.localImpossibleDay == .skip { return [] }
            let wanted = first + min(Int64(day) - 1, count)
            days = wanted..<wanted + 1
        } else if !isOpen {
            days = first..<first + 1
        }
        return days.filter { matchesWeek($0, first: first) }
    }

    private func matchesWeek(_ day: Int64, first: Int64) -> Bool {
        if let weekday, Weekday(ofDay: day).number != weekday { return false }
        return weekdayOrdinal.map { (day - first) / 7 + 1 == $0 } ?? true
    }

    private func firstTime(
        onDay day: Int64, after instant: Instant, _ calendar: LocalCalendar, _ rules: Assumptions
    ) -> Instant? {
        let hours = hour.map { $0...$0 } ?? (minute != nil || second != nil ? 0...23 : 0...0)
        let minutes = minute.map { $0...$0 } ?? (second != nil ? 0...59 : 0...0)
        let offset = calendar.constantOffset(around: day)
        var earliest: Instant?
        for hour in hours {
            for minute in minutes {
                let wall = Int64(hour * 3600 + minute * 60 + (second ?? 0))
                guard let offset else {
                    for found in instants(ofSecond: wall, onDay: day, calendar, rules) where found > instant {
                        earliest = min(earliest ?? found, found)
                    }
                    continue
                }
                let found = Instant(wholeSeconds: day * 86400 + wall - offset)
                if found > instant { return found }
            }
        }
        return earliest
    }

    /// When a time of day occurs on a day on which the clock changes. Without an hour, every hour counts, the repeated
    /// one twice and the skipped one not at all.
    private func instants(
        ofSecond wall: Int64, onDay day: Int64, _ calendar: LocalCalendar, _ rules: Assumptions
    ) -> [Instant] {
        let folds = hour == nil ? ClockFold.allCases : [rules.localClockFold]
        let found = folds.map { calendar.instant(ofSecond: wall, onDay: day, gap: rules.localClockGap, fold: $0) }
        guard hour == nil else { return found }
        return found.filter { calendar.wall(at: $0) == Instant(wholeSeconds: day * 86400 + wall) }
    }
}
