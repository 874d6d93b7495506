package import Time

/// When a device's Focus modes turn themselves on and off.
package struct FocusTimetable: Sendable, Hashable {
    var modes: [Focus]
    var calendar: LocalCalendar
    /// The mode that the person turned on until an instant.
    var active: String?
    var until: Instant?

    /// The mode that the schedules turn on. Assumption: of several, the first in the person's order is on.
    package func mode(at instant: Instant) -> String? {
        let today = calendar.day(at: instant)
        // A window ends by the next day; the extra days cover a clock set back over midnight.
        return Self.modes(at: instant, of: periods(startingOn: (today - 2)...(today + 1))).first
    }

    /// - Returns: nil when there is none within a fortnight: nothing is scheduled, or a mode is always on.
    package func nextChange(after instant: Instant) -> FocusChange? {
        guard let until, until > instant else { return nextScheduledChange(after: instant) }
        // Assumption: no schedule changes the mode before the end that the person chose.
        return FocusChange(at: until, from: active, to: mode(at: until))
    }

    private func nextScheduledChange(after instant: Instant) -> FocusChange? {
        // Most modes change within a day; a gap in the clock can swallow a weekly window.
        scheduledChange(after: instant, withinDays: 1) ?? scheduledChange(after: instant, withinDays: 15)
    }

    private func scheduledChange(after instant: Instant, withinDays count: Int64) -> FocusChange? {
        let today = calendar.day(at: instant)
        let periods = periods(startingOn: (today - 2)...(today + count + 1))
        let end = instant.advanced(by: count * .day)
        let edges = Set(periods.flatMap(\.windows).flatMap { [$0.lowerBound, $0.upperBound] })
        var before = Self.modes(at: instant, of: periods)
        for edge in edges.filter({ instant < $0 && $0 < end }).sorted() {
            let after = Self.modes(at: edge, of: periods)
            if before != after {
                return FocusChange(
                    at: edge, from: before.first, to: after.first, started: after.first { !before.contains($0) },
                    ended: before.filter { !after.contains($0) })
            }
            before = after
        }
        return nil
    }

    /// Those whose schedules cover an instant, in the person's order.
    private static func modes(at instant: Instant, of periods: [Periods]) -> [String] {
        periods.filter { $0.windows.contains { $0.contains(instant) } }.map(\.id)
    }

    private func periods(startingOn days: ClosedRange<Int64>) -> [Periods] {
        modes.compactMap { mode in
            guard !mode.schedule.isEmpty else { return nil }
            return Periods(
                id: mode.id,
                windows: mode.schedule.flatMap { schedule in
                    days.compactMap { schedule.window(startingOn: $0, in: calendar) }
                })
        }
    }

    /// When a mode is on.
    private struct Periods {
        var id: String
        var windows: [Range<Instant>]
    }
}

extension DeviceConditions {
    package var timetable: FocusTimetable? {
        guard focus.until != nil || focus.modes.contains(where: { !$0.schedule.isEmpty }), let calendar else {
            return nil
        }
        return FocusTimetable(modes: focus.modes, calendar: calendar, active: focus.active, until: focus.until)
    }

    package var calendar: LocalCalendar? { LocalCalendar(timeZone: timeZone) }

    /// On the device's clock.
    package func day(at instant: Instant) -> Int64 { calendar?.day(at: instant) ?? instant.day }
}

/// A start or an end of the schedules' modes.
package struct FocusChange: Sendable, Hashable {
    package var at: Instant
    /// The mode of the schedules before; the same as `to` if only another mode starts or ends.
    package var from: String?
    package var to: String?
    /// The first mode, in the person's order, that starts at this instant.
    package var started: String?
    package var ended: [String] = []

    /// Assumption: a start replaces a mode that the schedules did not turn on; an end turns off only its own mode. So a mode
    /// that the person turned on survives the end of another one, and one turned off stays off until the next start.
    package func active(following active: String?) -> String? {
        if active == from { return to }
        if let started { return started }
        return active.map(ended.contains) == true ? to : active
    }
}

extension FocusSchedule {
    /// The Focus's period that starts on a day; nil if none does. An end at or before the start is on the next day, so
    /// equal times mean a whole day (Assumption).
    func window(startingOn day: Int64, in calendar: LocalCalendar) -> Range<Instant>? {
        guard days.contains(Weekday(ofDay: day)) else { return nil }
        let start = calendar.instant(of: from, onDay: day)
        let end = calendar.instant(of: to, onDay: to > from ? day : day + 1)
        return start < end ? start..<end : nil  // a gap in the clock can swallow a window
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
