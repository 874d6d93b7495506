internal import APNs

extension FocusSchedule {
    /// The time that the Focus is on when it starts on a day; nil when it does not start on that day.
    ///
    /// An end that is not after the start lies on the next day; equal times mean a whole day (Assumption).
    func window(startingOn day: Int64, in calendar: LocalCalendar) -> Range<Instant>? {
        guard days.contains(Weekday(ofDay: day)) else { return nil }
        let start = calendar.instant(of: from, onDay: day)
        let end = calendar.instant(of: to, onDay: to > from ? day : day + 1)
        return start < end ? start..<end : nil  // a gap of the clock may swallow a window
    }
}

extension FocusSchedule.Days {
    /// Whether a Focus may start on a day of the week.
    package func contains(_ day: Weekday) -> Bool {
        switch self {
        case .everyDay: true
        case .weekdays: !day.isWeekend
        case .weekends: day.isWeekend
        case .monday: day == .monday
        case .tuesday: day == .tuesday
        case .wednesday: day == .wednesday
        case .thursday: day == .thursday
        case .friday: day == .friday
        case .saturday: day == .saturday
        case .sunday: day == .sunday
        }
    }
}
