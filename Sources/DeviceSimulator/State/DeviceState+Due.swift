internal import APNs
internal import DeviceModel

/// What happens by itself as time passes: expirations, summaries, Focus schedules, budgets.
extension DeviceState {
    /// When something happens by itself next; everything up to `now` is done with.
    func due(after now: Instant, _ assumptions: Assumptions) -> Instant {
        var due = Instant.never
        func consider(_ instant: Instant?) {
            if let instant, instant > now { due = min(due, instant) }
        }
        consider(nextFocusChange)
        consider(nextSummaryAt)
        for waiting in held {
            consider(waiting.expiresAt)
            if waiting.arrival.kind == .background { consider(budgetEnd(waiting.arrival.bundleID, assumptions)) }
        }
        for app in apps { consider(app.ephemeralUntil) }
        return due
    }

    /// When an app may be woken again; nil when it may now.
    private func budgetEnd(_ bundleID: String, _ assumptions: Assumptions) -> Instant? {
        guard let wakes = app(bundleID)?.backgroundWakes, wakes.count >= assumptions.backgroundBudget else {
            return nil
        }
        return wakes[wakes.count - max(1, assumptions.backgroundBudget)].advanced(by: .hour)
    }

    /// Does what is due at an instant, in an order of its own: what expires is gone before anything can be delivered.
    mutating func settle(at instant: Instant, in world: World) {
        for waiting in held where waiting.expiresAt <= instant {
            drop(waiting.arrival, .expired, at: instant)
        }
        if nextFocusChange <= instant { followSchedule(at: instant, in: world) }
        if let summary = nextSummaryAt, summary <= instant { deliverSummary(at: instant, world.assumptions) }
        for app in apps { expire(app, at: instant) }
        if !held.isEmpty { releaseHeld(at: instant, in: world) }
    }

    // MARK: Scheduled summary

    /// Shows everything that waited for the summary, as one event (H.4).
    mutating func deliverSummary(at now: Instant, _ assumptions: Assumptions) {
        nextSummaryAt = nil
        guard let card = SummaryCard(of: nextSummary, assumptions: assumptions) else { return }
        nextSummary = []
        let isFocusOn = conditions.value.focus.activeMode != nil
        for sequence in card.order {
            guard let place = inbox.index(of: sequence) else { continue }
            let settings = inbox[place].circumstances.settings
            inbox[place].places.remove(.nextSummary)
            if settings.notificationCenter == .enabled { inbox[place].places.insert(.notificationCenter) }
            if isFocusOn {
                inbox[place].places.insert(.withheld)
            } else if settings.lockScreen == .enabled {
                inbox[place].places.insert(.lockScreen)
            }
        }
        note(.summaryDelivered, details(of: card), at: now)
        if !isFocusOn { note(.screenLit, at: now) }
    }

    private func details(of card: SummaryCard) -> [String: JSONValue] {
        func numbers(_ sequences: [UInt64]) -> JSONValue { .array(sequences.map { .integer(Int(clamping: $0)) }) }
        return [
            "featured": numbers(card.featured),
            "groups": .array(
                card.groups.map { .object(["app": .string($0.app), "notifications": numbers($0.items)]) }),
            "notifications": numbers(card.order),
        ]
    }

    mutating func note(_ kind: DeviceEvent.Kind, _ details: [String: JSONValue], at now: Instant) {
        note(kind, nil, app: nil, details, at: now)
    }

    // MARK: App Clips

    /// Ends what an App Clip may do for a while only (B.1).
    private mutating func expire(_ app: AppState, at instant: Instant) {
        guard let until = app.ephemeralUntil, until <= instant else { return }
        var settings = app.settings?.value ?? NotificationSettings()
        settings.authorizationStatus = .denied
        set(settings, of: app.bundleID)
        note(.settingsChanged, nil, app: app.bundleID, ["reason": .string("ephemeralEnded")], at: instant)
    }

    // MARK: Focus schedules

    private mutating func followSchedule(at instant: Instant, in world: World) {
        guard let timetable else {
            nextFocusChange = .never
            return
        }
        if let change = timetable.nextChange(after: Instant(milliseconds: instant.milliseconds - 1)),
            change.at <= instant
        {
            var device = conditions.value
            device.focus.active = change.active(following: device.focus.active)
            switchFocus(to: device, cause: "schedule", at: instant, in: world)
        }
        nextFocusChange = timetable.nextChange(after: instant)?.at ?? .never
    }

    /// The schedules of all modes; nil when none has any.
    var timetable: FocusTimetable? {
        let device = conditions.value
        guard device.focus.modes.contains(where: { !$0.schedule.isEmpty }), let calendar else { return nil }
        return FocusTimetable(modes: device.focus.modes, calendar: calendar)
    }

    /// The device's calendar; its time zone was checked when it was set.
    var calendar: LocalCalendar? { LocalCalendar(timeZone: conditions.value.timeZone) }
}
