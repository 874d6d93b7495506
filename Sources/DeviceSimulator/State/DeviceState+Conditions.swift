internal import APNs
internal import DeviceModel

/// The device gets into another condition, with all that follows: a Focus ends, what waited is delivered, lists move.
extension DeviceState {
    /// Somebody sets the conditions.
    mutating func change(to new: DeviceConditions, at now: Instant, in world: World) {
        let old = conditions.value
        guard new != old else { return }
        note(.conditions(Shared(new), changed: old.differences(from: new)), at: now)
        become(new, focusCause: "conditions", at: now, in: world)
    }

    /// Takes over conditions that some input led to.
    mutating func become(_ new: DeviceConditions, focusCause: String, at now: Instant, in world: World) {
        let old = conditions.value
        guard new != old else { return }
        conditions = Shared(new)
        revision &+= 1
        if old.isLocked, !new.isLocked { leaveLockScreen() }
        if old.focus.modes != new.focus.modes || old.timeZone != new.timeZone { reschedule(at: now, in: world) }
        if old.focus.active != conditions.value.focus.active {
            focusChanged(from: old, cause: focusCause, at: now, world.assumptions)
        }
        if old.summary != new.summary || old.timeZone != new.timeZone { rescheduleSummary(at: now, world.assumptions) }
        if !held.isEmpty { releaseHeld(at: now, in: world) }
    }

    /// What was on the lock screen is history once the device is unlocked (I.6).
    private mutating func leaveLockScreen() {
        for place in inbox.indices { inbox[place].places.remove(.lockScreen) }
    }

    // MARK: Focus

    /// Puts the device in a condition that differs by its Focus.
    mutating func switchFocus(to new: DeviceConditions, cause: String, at now: Instant, in world: World) {
        become(new, focusCause: cause, at: now, in: world)
    }

    private mutating func focusChanged(
        from old: DeviceConditions, cause: String, at now: Instant, _ assumptions: Assumptions
    ) {
        if let ended = old.focus.active {
            note(.focusEnded, ["focus": .string(ended), "cause": .string(cause)], at: now)
            if conditions.value.focus.active == nil { release(from: ended, at: now, assumptions) }
        }
        if let started = conditions.value.focus.active {
            note(.focusStarted, ["focus": .string(started), "cause": .string(cause)], at: now)
        }
    }

    /// Shows on the lock screen what a Focus held back; without a sound (B.4).
    private mutating func release(from focus: String, at now: Instant, _ assumptions: Assumptions) {
        for place in inbox.indices where inbox[place].places.contains(.withheld) {
            inbox[place].places.remove(.withheld)
            guard inbox[place].places.isVisible else { continue }
            let settings = inbox[place].circumstances.settings
            if settings.lockScreen == .enabled, conditions.value.isLocked { inbox[place].places.insert(.lockScreen) }
            let item = inbox[place]
            note(.released, item.sequence, app: item.bundleID, ["focus": .string(focus)], at: now)
            if assumptions.focusReplaysAlerts, settings.sound == .enabled, item.level != .passive {
                note(.sound, item.sequence, app: item.bundleID, ["replayed": .bool(true)], at: now)
            }
        }
    }

    /// Follows the schedules from now on: one that covers this moment counts at once.
    private mutating func reschedule(at now: Instant, in world: World) {
        guard let timetable else {
            nextFocusChange = .never
            return
        }
        nextFocusChange = timetable.nextChange(after: now)?.at ?? .never
        if conditions.value.focus.active == nil, let mode = timetable.mode(at: now) {
            var device = conditions.value
            device.focus.active = mode
            conditions = Shared(device)
        }
    }

    // MARK: Summary

    /// When the next summary comes; nil when there is none.
    func summaryTime(after now: Instant) -> Instant? {
        calendar.flatMap { conditions.value.summary.nextDelivery(after: now, calendar: $0) }
    }

    /// Follows changed times. Assumption: switching the summary off shows at once what waited for it.
    private mutating func rescheduleSummary(at now: Instant, _ assumptions: Assumptions) {
        guard !nextSummary.isEmpty else { return }
        nextSummaryAt = summaryTime(after: now)
        if nextSummaryAt == nil { deliverSummary(at: now, assumptions) }
    }

    // MARK: Settings

    /// The person changes an app's settings.
    mutating func change(_ settings: NotificationSettings?, of bundleID: String, at now: Instant) {
        note(.settings(settings.map { Shared($0) }, app: bundleID), at: now)
        set(settings, of: bundleID)
        guard settings?.authorizationStatus == .ephemeral else { return }
        let lifetime = Assumptions().ephemeralLifetime
        apps[appIndex(bundleID)].ephemeralUntil = now.advanced(by: lifetime)
    }

    /// Takes over settings that some input led to.
    mutating func set(_ settings: NotificationSettings?, of bundleID: String) {
        let app = appIndex(bundleID)
        apps[app].settings = settings.map { Shared($0) }
        apps[app].ephemeralUntil = nil
        revision &+= 1
    }
}
