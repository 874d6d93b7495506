package import APNs

/// When each Focus of a device switches itself on and off.
package struct FocusTimetable: Sendable, Hashable {
    var modes: [Focus]
    var calendar: LocalCalendar

    /// The identifier of the mode that the schedules want on.
    ///
    /// Assumption: of several modes at once, the first in the person's order is on.
    package func mode(at instant: Instant) -> String? {
        let today = calendar.day(at: instant)
        // A window lasts until the next day at most; the days beyond cover a clock set back over midnight.
        return modes.first { mode in
            windows(of: mode, startingOn: (today - 2)...(today + 1)).contains { $0.contains(instant) }
        }?.id
    }

    /// - Returns: nil when there is none within a fortnight: nothing is scheduled, or a mode is always on.
    package func nextChange(after instant: Instant) -> FocusChange? {
        let today = calendar.day(at: instant)
        let days = (today - 2)...(today + 15)  // a fortnight, since a gap of the clock may swallow a weekly window
        let windows = modes.flatMap { self.windows(of: $0, startingOn: days) }
        let edges = Set(windows.flatMap { [$0.lowerBound, $0.upperBound] }).filter { $0 > instant }.sorted()
        var before = mode(at: instant)
        for edge in edges {
            let after = mode(at: edge)
            if before != after {
                return FocusChange(at: edge, from: before, to: after, isStart: isStart(of: after, at: edge))
            }
            before = after
        }
        return nil
    }

    private func isStart(of id: String?, at edge: Instant) -> Bool {
        guard let mode = modes.first(where: { $0.id == id }) else { return false }
        let today = calendar.day(at: edge)
        return windows(of: mode, startingOn: (today - 1)...(today + 1)).contains { $0.lowerBound == edge }
    }

    private func windows(of mode: Focus, startingOn days: ClosedRange<Int64>) -> [Range<Instant>] {
        mode.schedule.flatMap { schedule in
            days.compactMap { schedule.window(startingOn: $0, in: calendar) }
        }
    }
}

extension DeviceConditions {
    /// The schedules of all modes; nil when none has any.
    package var timetable: FocusTimetable? {
        guard focus.modes.contains(where: { !$0.schedule.isEmpty }), let calendar else { return nil }
        return FocusTimetable(modes: focus.modes, calendar: calendar)
    }

    /// In the device's time zone; nil when that is unknown.
    package var calendar: LocalCalendar? { LocalCalendar(timeZone: timeZone) }
}

/// A moment from which the schedules want another Focus on.
package struct FocusChange: Sendable, Hashable {
    package var at: Instant
    /// The mode they wanted until then.
    package var from: String?
    /// The mode they want from then on.
    package var to: String?
    /// Whether `to` starts at this instant, rather than remains when another one ends.
    package var isStart: Bool

    /// The mode that is on afterwards.
    ///
    /// Assumption: a start replaces whatever is on; an end switches off its own mode only. So a mode that the person
    /// switched on survives the end of another one, and one switched off stays off until its next start.
    package func active(following active: String?) -> String? { isStart || active == from ? to : active }
}

extension FocusSchedule {
    /// When the Focus is on that starts on a day; nil when it does not start on that day.
    ///
    /// An end that is not after the start is on the next day; equal times mean a whole day (Assumption).
    func window(startingOn day: Int64, in calendar: LocalCalendar) -> Range<Instant>? {
        guard days.contains(Weekday(ofDay: day)) else { return nil }
        let start = calendar.instant(of: from, onDay: day)
        let end = calendar.instant(of: to, onDay: to > from ? day : day + 1)
        return start < end ? start..<end : nil  // a gap of the clock may swallow a window
    }
}

extension FocusSchedule.Days {
    func contains(_ day: Weekday) -> Bool {
        switch self {
        case .everyDay: true
        case .weekdays: !day.isWeekend
        case .weekends: day.isWeekend
        case .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday: rawValue == "\(day)"
        }
    }
}
