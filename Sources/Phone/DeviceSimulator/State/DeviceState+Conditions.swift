internal import DeviceModel
internal import Fields
internal import JSON
internal import LiveModel
internal import Time

/// Changes of conditions and settings, with their consequences for Focus, stored pushes and lists.
extension DeviceState {
    mutating func change(to new: DeviceConditions, at now: Moment) {
        let old = conditions.value
        var new = new
        new.makeConsistent()
        // It has ended already. A device that is off notices at its next start.
        if new.isPoweredOn, let until = new.offlineUntil, until <= now.time { new.isOnline = true }
        guard new != old else { return }
        log(.conditions(now.catalog.share(new), changed: old.differences(from: new)), at: now)
        setConditions(new, focusCause: "conditions", at: now)
        if let app = new.foregroundApp, new.isForeground(app), !old.isForeground(app) {
            limitAppClip(app, isOpened: true, at: now)
        }
    }

    /// Applies conditions that an input caused.
    mutating func setConditions(_ new: DeviceConditions, focusCause: String, at now: Moment) {
        let old = conditions.value
        var new = new
        // It has ended already.
        if let until = new.focus.until, until <= now.time, until != old.focus.until { new.focus.active = nil }
        guard new != old else { return }
        conditions = now.catalog.share(new)
        revision &+= 1
        // Unlocking empties the lock screen's list (I.6).
        if old.isLocked, !new.isLocked { empty(.lockScreen, at: now) }
        // A banner is over an app.
        if old.isInUse, !new.isInUse { empty(.banner, at: now) }
        allowWaking(from: old)
        let chosen = new.focus
        new.focus = focus.reduce(.changed(from: old), at: now.time, on: new)
        if new.focus != chosen { conditions = now.catalog.share(new) }
        if old.focus.active != new.focus.active {
            let cause = new.focus.active == chosen.active ? focusCause : "schedule"
            focusChanged(from: old, cause: cause, at: now)
        }
        if old.summary != new.summary || old.timeZone != new.timeZone { summarize(.changed, at: now) }
        let context = hasLive ? liveContext(at: now) : nil
        if let context {
            carryOut(at: now, in: context) { state, context, effects in
                state.live.local.conditionsChanged(from: old, context, &effects)
                if !context.device.isPoweredOn { state.live.services.endAll(.poweredOff, &effects) }
                if old.osVersion != context.device.osVersion || state.live.services.missesExchange == true {
                    state.live.services.adapt(
                        from: old, environment: now.serviceEnvironment(of:), context, &effects)
                }
            }
        }
        followSiri(from: old, at: now)
        let reachable = conditions.value
        if reachable.person != nil, reachable.isReachable, reachable.person != old.person || !old.isReachable {
            effects.append(.request(.takeReservations, at: now.time))
        }
        if !old.isPoweredOn, new.isPoweredOn { performMissed(at: now) }
        if let context, !live.activities.isEmpty {
            carryOut(at: now, in: context) { state, context, effects in
                state.live.activities.adapt(from: old, context, &effects)
            }
        }
        if !stored.isEmpty { deliverStored(at: now) }
        if !subscriptions.isEmpty { deliverStoredBroadcasts(at: now) }
    }

    private mutating func empty(_ place: Places, at now: Moment) {
        for index in inbox.indices where inbox[index].places.contains(place) {
            inbox[index].places.remove(place)
            touch(index, at: now)
        }
    }

    /// A force-quit app may be woken again after the device has restarted, or once it is in the foreground.
    private mutating func allowWaking(from old: DeviceConditions) {
        let new = conditions.value
        let hasStarted = new.isPoweredOn && !old.isPoweredOn
        for app in apps.indices where apps[app].isTerminated {
            if hasStarted || new.isForeground(apps[app].bundleID) { apps[app].isTerminated = false }
        }
    }

    /// An app that ended is not in the foreground any more. Nothing else depends on it, so nothing follows.
    mutating func close(_ app: String, at now: Moment) {
        guard conditions.value.foregroundApp == app else { return }
        var device = conditions.value
        device.foregroundApp = nil
        conditions = now.catalog.share(device)
        revision &+= 1
    }

    // MARK: Focus

    private mutating func focusChanged(from old: DeviceConditions, cause: String, at now: Moment) {
        if let ended = old.focus.active {
            emit(.focusEnded, nil, ["focus": .string(ended), "cause": .string(cause)], at: now)
            release(from: ended, at: now)
        }
        if let started = conditions.value.focus.active {
            emit(.focusStarted, nil, ["focus": .string(started), "cause": .string(cause)], at: now)
        }
    }

    /// Shows on the lock screen what a Focus withheld, without a sound (B.4), unless one is on.
    ///
    /// - Parameter focus: The one that just ended; nil if one ended while the device was off.
    mutating func release(from focus: String?, at now: Moment) {
        let device = conditions.value
        guard device.focus.active == nil, device.isPoweredOn else { return }
        let replays = now.catalog.assumptions.focusReplaysAlerts && device.ringSwitch == .ring
        var lights = false
        for index in inbox.indices where inbox[index].places.contains(.withheld) {
            inbox[index].places.remove(.withheld)
            touch(index, at: now)
            let item = inbox[index]
            let settings = settings(of: item.bundleID, in: now.catalog)
            guard settings.allowsAnything else { continue }
            if settings.lockScreen == .enabled, conditions.value.isLocked { inbox[index].places.insert(.lockScreen) }
            markShown(index, at: now)
            guard inbox[index].places.isListed else { continue }
            var details: JSONObject = ["focus": focus.map { .string($0) }]
            if inbox[index].isUnderFocus { details["section"] = .string(Presentation.focusSection) }
            emit(.released, of: index, details, at: now)
            if item.timing == .deferredToSummary {
                lights = lights || settings.lockScreen == .enabled
            } else if replays, settings.sound == .enabled, item.level != .passive,
                !item.presentation.contains(.soundless)
            {
                emit(.sound, of: index, ["replayed": .bool(true)], at: now)
            }
        }
        // A summary due during the Focus is shown now (H.6).
        if lights { lightScreen(at: now) }
    }

    // MARK: Settings

    mutating func change(_ settings: NotificationSettings?, of bundleID: String, at now: Moment) {
        log(.settings(settings.map { Shared($0) }, app: bundleID), at: now)
        set(settings, of: bundleID, at: now)
        limitAppClip(bundleID, at: now)
    }

    /// Assumption: an app that loses its permission also loses its notifications in the lists.
    mutating func set(_ settings: NotificationSettings?, of bundleID: String, at now: Moment) {
        let app = appIndex(bundleID)
        apps[app].settings = settings.map { Shared($0) }
        revision &+= 1
        let current = self.settings(of: bundleID, in: now.catalog)
        if current.authorizationStatus != .ephemeral { apps[app].ephemeralUntil = nil }
        if let prompt = apps[app].prompt, !prompt.isOpen(under: current) { apps[app].prompt = nil }
        if !current.allowsAnything { removeAll(of: bundleID, .turnedOff, at: now) }
        leaveSummary(at: now)
    }

    /// An App Clip may notify for a limited time after it is allowed or opened, or first registers (B.1).
    mutating func limitAppClip(_ bundleID: String, isOpened: Bool = false, at now: Moment) {
        guard settings(of: bundleID, in: now.catalog).authorizationStatus == .ephemeral,
            isOpened || app(bundleID)?.ephemeralUntil == nil
        else { return }
        apps[appIndex(bundleID)].ephemeralUntil = now.time.advanced(by: now.catalog.assumptions.ephemeralLifetime)
    }

    func settings(of bundleID: String, in catalog: AppCatalog) -> NotificationSettings {
        app(bundleID)?.settings?.value ?? catalog.app(bundleID).settings
    }
}

extension NotificationSettings {
    /// Includes provisional and ephemeral authorization.
    package var allowsAnything: Bool { authorizationStatus != .denied && authorizationStatus != .notDetermined }
}
