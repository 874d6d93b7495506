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
    func due(after now: Moment) -> Instant {
        var due = Instant.never
        func consider(_ instant: Instant?) {
            if let instant, instant > now.time { due = min(due, instant) }
        }
        for waiting in stored { consider(waiting.expiresAt) }
        for subscription in subscriptions { consider(subscription.stored?.storedUntil) }
        for entry in now.registrations { consider(entry.forgottenAt(now.catalog.assumptions)) }
        guard conditions.value.isPoweredOn else { return due }
        consider(focus.nextChange)
        consider(conditions.value.offlineUntil)
        consider(summary.dueAt)
        for waiting in stored where waiting.arrival.kind == .background {
            consider(budgetEnd(waiting.arrival.bundleID, at: now))
        }
        for app in apps { consider(app.ephemeralUntil) }
        consider(heldDue(after: now.time))
        return due
    }

    /// When an app may be woken again; nil for now.
    private func budgetEnd(_ bundleID: String, at now: Moment) -> Instant? {
        let budget = now.catalog.assumptions.backgroundBudget
        // A budget of 0 is never restored.
        guard budget > 0, let wakes = app(bundleID)?.backgroundWakes, wakes.count >= budget else { return nil }
        return wakes[wakes.count - budget].advanced(by: .hour)
    }

    mutating func performDue(at now: Moment) {
        // First, so that no expired push is delivered.
        for waiting in stored where waiting.expiresAt <= now.time { drop(waiting.arrival, .expired, at: now) }
        if !subscriptions.isEmpty { expireBroadcasts(at: now) }
        let ends = now.registrations.lazy.compactMap { $0.forgottenAt(now.catalog.assumptions) }
        if ends.contains(where: { $0 <= now.time }) { effects.append(.request(.forgetTokens, at: now.time)) }
        guard conditions.value.isPoweredOn else { return }
        if focus.nextChange <= now.time { followSchedule(.time, at: now) }
        summarize(.time, at: now)
        for app in apps { expire(app, at: now) }
        advanceHeld(at: now)
        if let until = conditions.value.offlineUntil, until <= now.time { change(to: conditions.value, at: now) }
        if !stored.isEmpty { deliverStored(at: now) }
    }

    /// Performs what was due while the device was off, except Focus changes.
    ///
    /// Assumption: a missed summary is shown at once, as one card, not with the next summary.
    mutating func performMissed(at now: Moment) {
        release(from: nil, at: now)
        summarize(.time, at: now)
        for app in apps { expire(app, at: now) }
        advanceHeld(at: now)
        leaveSummary(at: now)
        deliverExtended(at: now)
    }

    // MARK: Scheduled summary

    /// Shows what is due as one event (H.4); during a Focus, in Notification Center only (H.6).
    mutating func summarize(_ input: PendingSummary.Input, at now: Moment) {
        let waiting = summary.reduce(input, at: now.time, on: conditions.value)
        if waiting.isEmpty { return }
        var lights = false
        var shown: [SummaryItem] = []
        for item in waiting {
            guard let place = inbox.index(of: item.sequence) else { continue }
            inbox[place].places.remove(.nextSummary)
            touch(place, at: now)
            let settings = settings(of: item.app, in: now.catalog)
            guard settings.allowsAnything else { continue }
            if settings.notificationCenter == .enabled { inbox[place].places.insert(.notificationCenter) }
            let context = now.catalog.context(of: item.app, on: self)
            let isWithheld = !focusAllows(context, filterCriteria: item.filterCriteria)
            lights = lights || settings.lockScreen == .enabled && !isWithheld
            if isWithheld {
                inbox[place].places.insert(.withheld)
            } else if settings.lockScreen == .enabled, conditions.value.isLocked {
                inbox[place].places.insert(.lockScreen)
            }
            markShown(place, at: now)
            shown.append(item)
        }
        guard let card = SummaryCard(of: shown, assumptions: now.catalog.assumptions) else { return }
        emit(.summaryDelivered, nil, details(of: card), at: now)
        if lights { lightScreen(at: now) }
    }

    /// Shows what waits of apps that are no longer in the summary.
    mutating func leaveSummary(at now: Moment) {
        let apps = Set(summary.items.map(\.app))
        let left = apps.filter { settings(of: $0, in: now.catalog).scheduledDelivery != .enabled }
        if !left.isEmpty { summarize(.left(left), at: now) }
    }

    /// Dates the first time that the person can see a notification.
    mutating func markShown(_ place: Int, at now: Moment) {
        let item = inbox[place]
        guard item.places.isListed, !item.isShownOnDelivery, shownLater[item.sequence] == nil else { return }
        shownLater[item.sequence] = now.time
    }

    mutating func lightScreen(at now: Moment) {
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
    private mutating func expire(_ app: AppState, at now: Moment) {
        guard let until = app.ephemeralUntil, until <= now.time else { return }
        var settings = settings(of: app.bundleID, in: now.catalog)
        // The app's new default may have made it a full app.
        guard settings.authorizationStatus == .ephemeral else {
            apps[appIndex(app.bundleID)].ephemeralUntil = nil
            return
        }
        settings.authorizationStatus = .denied
        emit(.settingsChanged, nil, app: app.bundleID, ["reason": .string("ephemeralEnded")], at: now)
        set(settings, of: app.bundleID, at: now)
    }

    // MARK: Focus schedules

    mutating func followSchedule(_ input: ScheduledFocus.Input, at now: Moment) {
        var device = conditions.value
        device.focus = focus.reduce(input, at: now.time, on: device)
        setConditions(device, focusCause: "schedule", at: now)
    }
}

/// A clock that goes back: a reset of the gateway's, or a state from the future.
extension DeviceState {
    /// Decides by `now` what was decided by a later time.
    ///
    /// What the device counts goes on from now: timers, budgets, calls, the lives of activities. What the time of day
    /// decides is decided again: Focus schedules, summaries, calendar triggers. Events and dates from outside stay.
    mutating func setBack(from former: Instant?, to now: Moment) {
        let former = latestTime(former, now.time)
        let clock = ClockReturn(to: now.time, from: former)
        let before = lastEvent
        if former > now.time {
            if clockReturns.count == Self.clockReturnLimit { clockReturns.removeFirst() }
            clockReturns.append(PastClockReturn(from: former, to: now.time, lastEvent: before))
        }
        lastEventAt = min(lastEventAt, now.time)
        let today = conditions.value.day(at: now.time)
        for index in apps.indices { apps[index].setBack(clock, today: today) }
        for index in stored.indices { stored[index].setBack(clock, now.catalog.assumptions) }
        summarize(.setBack, at: now)
        if hasLive { carryOut(at: now) { state, context, _ in state.live.setBack(clock, context) } }
        if hasSiri { carryOut(at: now) { state, context, _ in state.siri.setBack(clock, context) } }
        followSchedule(.setBack(from: former), at: now)
        refreshSuggestions(at: now)
        if !stored.isEmpty { deliverStored(at: now) }
        if lastEvent != before { lastEventAt = now.time }
        nextDue = due(after: now)
    }

    private static let clockReturnLimit = 16

    /// Events up to `lastEvent` happened by the former time; later ones have smaller dates.
    struct PastClockReturn: Equatable, Codable {
        let from: Instant
        let to: Instant
        let lastEvent: UInt64
    }

    /// By which the device has decided until its clock goes back to `now`.
    func latestTime(_ former: Instant?, _ now: Instant) -> Instant { max(now, lastEventAt, former ?? now) }
}
