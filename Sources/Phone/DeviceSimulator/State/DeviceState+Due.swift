internal import APNs
internal import DeviceModel
internal import JSON
internal import LiveModel
internal import SiriModel
internal import Time

/// Changes caused by time: expirations, summaries, Focus schedules, budgets.
extension DeviceState {
    /// The next instant after `now` at which time changes the state.
    ///
    /// While the device is off, only stored pushes and tokens expire; everything else waits until it is on.
    func due(after now: Instant) -> Instant {
        var due = Instant.never
        func consider(_ instant: Instant?) {
            if let instant, instant > now { due = min(due, instant) }
        }
        for waiting in stored { consider(waiting.expiresAt) }
        for subscription in subscriptions { consider(subscription.stored?.storedUntil) }
        for entry in device?.registrations ?? [] { consider(entry.forgottenAt(catalog.assumptions)) }
        guard conditions.value.isPoweredOn else { return due }
        consider(nextFocusChange)
        consider(conditions.value.offlineUntil)
        consider(nextSummaryAt)
        for waiting in stored where waiting.arrival.kind == .background {
            consider(budgetEnd(waiting.arrival.bundleID))
        }
        for app in apps { consider(app.ephemeralUntil) }
        consider(heldDue(after: now))
        return due
    }

    /// When an app may be woken again; nil for now.
    private func budgetEnd(_ bundleID: String) -> Instant? {
        let budget = catalog.assumptions.backgroundBudget
        // A budget of 0 is never restored.
        guard budget > 0, let wakes = app(bundleID)?.backgroundWakes, wakes.count >= budget else { return nil }
        return wakes[wakes.count - budget].advanced(by: .hour)
    }

    mutating func performDue(at instant: Instant) {
        // First, so that no expired push is delivered.
        for waiting in stored where waiting.expiresAt <= instant { drop(waiting.arrival, .expired, at: instant) }
        if !subscriptions.isEmpty { expireBroadcasts(at: instant) }
        let ends = device?.registrations.lazy.compactMap { [catalog] in $0.forgottenAt(catalog.assumptions) }
        if ends?.contains(where: { $0 <= instant }) == true { liveRequests.append((.forgetTokens, instant)) }
        guard conditions.value.isPoweredOn else { return }
        if nextFocusChange <= instant { followSchedule(at: instant) }
        if let summary = nextSummaryAt, summary <= instant { deliverSummary(at: instant) }
        for app in apps { expire(app, at: instant) }
        performHeldDue(at: instant)
        if let until = conditions.value.offlineUntil, until <= instant { change(to: conditions.value, at: instant) }
        if !stored.isEmpty { deliverStored(at: instant) }
    }

    /// Performs what was due while the device was off, except Focus changes.
    ///
    /// Assumption: a missed summary is shown at once, as one card, not with the next summary.
    mutating func performMissed(at now: Instant) {
        if let summary = nextSummaryAt, summary <= now { deliverSummary(at: now) }
        for app in apps { expire(app, at: now) }
        performHeldDue(at: now)
        deliverExtended(at: now)
    }

    // MARK: Scheduled summary

    /// Shows all pending items as one event (H.4); during a Focus, in Notification Center only (H.6).
    mutating func deliverSummary(at now: Instant) {
        guard conditions.value.isPoweredOn else {
            nextSummaryAt = nextSummary.isEmpty ? nil : now
            return
        }
        nextSummaryAt = nil
        let waiting = nextSummary
        nextSummary = []
        var lights = false
        var shown: [SummaryItem] = []
        for item in waiting {
            guard let place = inbox.index(of: item.sequence) else { continue }
            inbox[place].places.remove(.nextSummary)
            touch(place)
            let settings = settings(of: item.app)
            guard settings.allowsAnything else { continue }
            if settings.notificationCenter == .enabled { inbox[place].places.insert(.notificationCenter) }
            let isWithheld = !focusAllows(catalog.context(of: item.app, on: self))
            lights = lights || settings.lockScreen == .enabled && !isWithheld
            if isWithheld {
                inbox[place].places.insert(.withheld)
            } else if settings.lockScreen == .enabled, conditions.value.isLocked {
                inbox[place].places.insert(.lockScreen)
            }
            markShown(place, at: now)
            shown.append(item)
        }
        guard let card = SummaryCard(of: shown, assumptions: catalog.assumptions) else { return }
        emit(.summaryDelivered, nil, details(of: card), at: now)
        if lights { lightScreen(at: now) }
    }

    /// Dates the first time that the person can see a notification.
    mutating func markShown(_ place: Int, at now: Instant) {
        let item = inbox[place]
        guard item.places.isListed, !item.isShownOnDelivery, shownLater[item.sequence] == nil else { return }
        shownLater[item.sequence] = now
    }

    mutating func lightScreen(at now: Instant) {
        let device = conditions.value
        guard device.isPoweredOn, device.isLocked || !device.isScreenOn else { return }
        emit(.screenLit, at: now)
    }

    private func details(of card: SummaryCard) -> JSONObject {
        func numbers(_ sequences: [UInt64]) -> JSONValue { .array(sequences.map { .integer(Int(clamping: $0)) }) }
        return [
            "featured": numbers(card.featured),
            "groups": .array(
                card.groups.map { .object(["app": .string($0.app), "notifications": numbers($0.items)]) }),
            "notifications": numbers(card.order),
        ]
    }

    // MARK: App Clips

    /// Ends an App Clip's temporary permission (B.1).
    private mutating func expire(_ app: AppState, at instant: Instant) {
        guard let until = app.ephemeralUntil, until <= instant else { return }
        var settings = settings(of: app.bundleID)
        // The app's new default may have made it a full app.
        guard settings.authorizationStatus == .ephemeral else {
            apps[appIndex(app.bundleID)].ephemeralUntil = nil
            return
        }
        settings.authorizationStatus = .denied
        emit(.settingsChanged, nil, app: app.bundleID, ["reason": .string("ephemeralEnded")], at: instant)
        set(settings, of: app.bundleID, at: instant)
    }

    // MARK: Focus schedules

    private mutating func followSchedule(at instant: Instant) {
        guard let timetable else {
            nextFocusChange = .never
            return
        }
        if let change = timetable.nextChange(after: instant.advanced(by: -1)),
            change.at <= instant
        {
            var device = conditions.value
            device.focus.follow(change.active(following: device.focus.active), at: instant)
            setConditions(device, focusCause: "schedule", at: instant)
        }
        nextFocusChange = timetable.nextChange(after: instant)?.at ?? .never
    }

    /// The mode that the schedules reached from the active one while the device was off.
    func scheduledFocus(following active: String?, until now: Instant) -> String? {
        guard let timetable else { return active }
        var active = active
        // Schedules repeat weekly, so their older changes make no difference.
        var since = max(nextFocusChange, now.advanced(by: -14 * .day))
        if let until = conditions.value.focus.until, until < since { active = timetable.mode(at: since) }
        while let change = timetable.nextChange(after: since.advanced(by: -1)), change.at <= now {
            active = change.active(following: active)
            since = change.at.advanced(by: 1)
        }
        return active
    }

    var timetable: FocusTimetable? { conditions.value.timetable }
    var calendar: LocalCalendar? { conditions.value.calendar }
}
