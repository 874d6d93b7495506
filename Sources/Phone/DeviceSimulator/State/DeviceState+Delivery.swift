internal import APNs
internal import DeviceModel
internal import JSON
internal import LiveModel
internal import Time

extension DeviceState {
    mutating func deliver(_ arrival: Arrival, _ context: PolicyContext, at index: Int, _ now: Moment) {
        switch arrival.kind {
        case .alert:
            if arrival.traits.isMutable, startExtension(arrival, context, at: index, now) { return }
            deliverAlert(arrival, context, at: index, now)
        case .background: deliverBackground(arrival, context, at: index, now)
        case .complication, .controls, .fileprovider, .location, .mdm, .pushtotalk, .voip, .widgets:
            deliverService(arrival, context, at: index, now)
        case .liveactivity: deliverActivity(arrival, at: index, now)
        }
    }

    mutating func complete(_ index: Int, _ push: Push, at now: Moment) {
        lastEvent = inbox[index].complete(push, at: now.time, after: lastEvent)
        counts.delivered += 1
    }

    // MARK: Alerts

    mutating func deliverAlert(_ arrival: Arrival, _ context: PolicyContext, at index: Int, _ now: Moment) {
        let namesake = namesake(of: arrival)
        // The later request wins, even if the earlier one waited longer, for its service extension or for power.
        if let namesake, inbox[namesake].sequence > arrival.sequence {
            return discard(index, .superseded, arrival.push, at: now)
        }
        var inputs = InterruptionInputs(content: arrival.traits, context: context)
        for app in apps.indices where apps[app].bundleID == arrival.bundleID {
            inputs.isTimeSensitiveIntroduced = apps[app].isTimeSensitiveIntroduced
            inputs.isProvisionalIntroduced = apps[app].isProvisionalIntroduced
            if let handle = arrival.traits.callerHandle {
                inputs.sinceLastCall = apps[app].calls.time(since: handle, at: now.time)
            }
        }
        let outcome = now.catalog.decide(inputs)
        let wakesApp = wakesApp(arrival, context)
        if outcome.timing == .notAllowed, !wakesApp { return discard(index, .disabled, arrival.push, at: now) }
        let sequence = arrival.sequence
        if outcome.timing != .notAllowed {
            if let namesake, outcome.timing != .nothingToShow { replace(namesake, by: arrival, at: now) }
            if outcome.presentation.hasAny(of: .badge), let badge = arrival.traits.badge,
                let number = BadgeNumber(badge, now.catalog.assumptions)
            {
                setBadge(number, of: arrival.bundleID, at: now)
            } else if now.catalog.assumptions.negativeBadgeInPushClears, arrival.push.hasNegativeBadge {
                emit(.badge, nil, app: arrival.bundleID, ["count": .integer(0)], at: now)
                setBadge(.none, of: arrival.bundleID, at: now)
            }
        }
        // Replacing and removing do not move inbox entries, so `index` is still valid.
        var places = places(of: outcome)
        if inputs.sinceLastCall.map({ $0 <= context.assumptions.repeatedCallWindow }) == true {
            places.insert(.repeatedCall)
        }
        if wakesApp, !conditions.value.isForeground(arrival.bundleID) { places.insert(.wokeApp) }
        inbox[index].present(outcome, in: places)
        if outcome.timing == .silencedByFocus, arrival.traits.sound == .none {
            inbox[index].presentation.insert(.soundless)
        }
        if !arrival.traits.categoryIdentifier.isEmpty { inbox[index].setCategory(arrival.traits.categoryIdentifier) }
        complete(index, arrival.push, at: now)
        if places.contains(.nextSummary) { deferToSummary(arrival, at: now) }
        remember(outcome, sequence, arrival, at: now)
        if outcome.isCommunication { suggestContact(inputs, outcome, sequence, at: now) }
        if wakesApp { runBackgroundHandler(of: arrival, context, at: now) }
    }

    /// Inferred: an alert that shows nothing still wakes its app, as one that the person does not allow does.
    mutating func wakeUnshown(_ arrival: Arrival, _ context: PolicyContext, at now: Moment) {
        guard wakesApp(arrival, context) else { return }
        if !conditions.value.isForeground(arrival.bundleID) {
            emit(.appLaunch, arrival.sequence, app: arrival.bundleID, ["state": .string("background")], at: now)
        }
        runBackgroundHandler(of: arrival, context, at: now)
    }

    private mutating func runBackgroundHandler(of arrival: Arrival, _ context: PolicyContext, at now: Moment) {
        // Only what the device holds tells how the app's handler replies.
        if hasLive, let service = service(arrival, as: .background, context, now) { apply(service, at: now) }
    }

    private func places(of outcome: InterruptionOutcome) -> Places {
        var places: Places = []
        // An unlocked device has no lock screen list; the notification is only shown briefly.
        if outcome.presentation.hasAny(of: .lockScreen), conditions.value.isLocked { places.insert(.lockScreen) }
        if outcome.presentation.hasAny(of: .banner) { places.insert(.banner) }
        if outcome.presentation.hasAny(of: .notificationCenter) { places.insert(.notificationCenter) }
        if outcome.timing == .deferredToSummary { places.insert(.nextSummary) }
        if outcome.timing == .silencedByFocus { places.insert(.withheld) }
        if outcome.isCommunication { places.insert(.communication) }
        return places
    }

    mutating func deferToSummary(_ arrival: Arrival, at now: Moment) {
        let content = content(of: arrival.sequence, arrival.push)
        summarize(.deferred(SummaryItem(content, sequence: arrival.sequence, app: arrival.bundleID)), at: now)
    }

    private mutating func remember(
        _ outcome: InterruptionOutcome, _ sequence: UInt64, _ arrival: Arrival, at now: Moment
    ) {
        if let identifier = arrival.push.collapseID, inbox.isPresent(sequence) {
            // Most providers never reuse an identifier, so purge those of removed notifications now and then.
            if collapsed.count > 2 * inbox.count + 16 { collapsed = collapsed.filter { inbox.isPresent($0.value) } }
            collapsed[CollapseKey(bundleID: arrival.bundleID, identifier: identifier)] = sequence
        }
        if outcome.presentation.hasAny(of: .timeSensitivePrompt) {
            let app = appIndex(arrival.bundleID)
            apps[app].isTimeSensitiveIntroduced = true
            apps[app].timeSensitiveReviewedAt = now.time
            apps[app].prompt = .timeSensitiveIntro
        } else if outcome.level == .timeSensitive, outcome.timing == .now {
            reviewTimeSensitive(arrival.bundleID, sequence, at: now)
        }
        if outcome.presentation.hasAny(of: .provisionalPrompt) {
            let app = appIndex(arrival.bundleID)
            apps[app].isProvisionalIntroduced = true
            apps[app].prompt = .provisional
        }
        if let handle = arrival.traits.callerHandle {
            let app = appIndex(arrival.bundleID)
            apps[app].calls.add(handle, at: now.time, within: now.catalog.assumptions.repeatedCallWindow)
        }
    }

    /// Prompts again after a while of use (B.10).
    private mutating func reviewTimeSensitive(_ bundleID: String, _ sequence: UInt64, at now: Moment) {
        let app = appIndex(bundleID)
        guard let last = apps[app].timeSensitiveReviewedAt, let index = inbox.index(of: sequence),
            last.advanced(by: inbox[index].context.assumptions.timeSensitiveReviewInterval) <= now.time
        else { return }
        apps[app].timeSensitiveReviewedAt = now.time
        apps[app].prompt = .timeSensitiveReview
        emit(.prompt, sequence, app: bundleID, Prompt.timeSensitiveReview.details(isSummaryOn: false), at: now)
    }

    // MARK: Other push types

    private mutating func deliverBackground(
        _ arrival: Arrival, _ context: PolicyContext, at index: Int, _ now: Moment
    ) {
        guard arrival.traits.isBackground else { return discard(index, .notBackground, arrival.push, at: now) }
        let service = service(arrival, context, now)
        if let reason = service?.reason ?? (wakes(arrival.bundleID) ? nil : .appTerminated) {
            discard(index, reason, arrival.push, at: now)
        } else {
            // An app in the foreground needs no waking.
            if !conditions.value.isForeground(arrival.bundleID) {
                let app = appIndex(arrival.bundleID)
                let recent = (apps[app].backgroundWakes ?? []).filter { $0.advanced(by: .hour) > now.time }
                apps[app].backgroundWakes = recent + [now.time]
                inbox[index].places = .wokeApp
                inbox[index].wakeNumber = recent.count + 1
            }
            complete(index, arrival.push, at: now)
        }
        if let service { apply(service, at: now) }
    }

    /// Whether an alert also wakes its app, whatever the person sees of it (B.1).
    func wakesApp(_ arrival: Arrival, _ context: PolicyContext) -> Bool {
        arrival.traits.isContentAvailable && context.app.hasRemoteNotificationMode && wakes(arrival.bundleID)
    }

    private func wakes(_ bundleID: String) -> Bool { app(bundleID)?.isTerminated != true }

    private mutating func deliverService(
        _ arrival: Arrival, _ context: PolicyContext, at index: Int, _ now: Moment
    ) {
        let isComplication = arrival.kind == .complication
        let today = conditions.value.day(at: now.time)
        let isOverBudget =
            isComplication
            && complicationCount(of: arrival.bundleID, on: today) >= now.catalog.assumptions.complicationBudget
        let service = service(arrival, context, isOverBudget: isOverBudget, now)
        if let reason = service?.reason ?? (isOverBudget ? .budgetExceeded : nil) {
            discard(index, reason, arrival.push, at: now)
        } else {
            if isComplication {
                let count = complicationCount(of: arrival.bundleID, on: today) + 1
                let app = appIndex(arrival.bundleID)
                (apps[app].complicationDay, apps[app].complicationCount) =
                    (max(today, apps[app].complicationDay ?? today), count)
            }
            if arrival.kind == .voip, mustReport(arrival, now) { inbox[index].presentation = .mustReport }
            complete(index, arrival.push, at: now)
            if arrival.kind == .voip || arrival.kind == .pushtotalk { markLaunched(arrival.bundleID) }
        }
        if let service { apply(service, at: now) }
    }

    /// The system has launched the app, although the person may have force-quit it (L3, S8).
    mutating func markLaunched(_ bundleID: String) {
        for index in apps.indices where apps[index].bundleID == bundleID { apps[index].isTerminated = false }
    }

    private func mustReport(_ arrival: Arrival, _ now: Moment) -> Bool {
        let context = liveContext(at: now)
        return context.has(.callMetadata) && live.services.mustReport(servicePush(arrival, now), context)
    }

    /// A day that begins again, in another time zone, has no new budget.
    private func complicationCount(of bundleID: String, on day: Int64) -> Int {
        guard let app = app(bundleID), let last = app.complicationDay, day <= last else { return 0 }
        return app.complicationCount ?? 0
    }

    /// A push and what `ServiceTable` decides about it.
    private struct Service {
        let push: ServicePush
        let result: ServiceResult

        var reason: DiscardReason? { result.verdict.discardReason }
    }

    /// nil when the app declares nothing for this type of push and has no state for it.
    ///
    /// - Parameter kind: nil for the push's own.
    private func service(
        _ arrival: Arrival, as kind: PushType? = nil, _ context: PolicyContext, isOverBudget: Bool = false,
        _ now: Moment
    ) -> Service? {
        var push = servicePush(arrival, as: kind, now)
        guard
            live.services.governs(push.kind, of: context.app) || live.services.result(of: push.notification) != nil
        else { return nil }
        push.isOverBudget = isOverBudget
        push.payload = JSONValue(arrival.push.payload.span.bytes)
        return live.services.decide(push, liveContext(at: now)).map { Service(push: push, result: $0) }
    }

    private func servicePush(_ arrival: Arrival, as kind: PushType? = nil, _ now: Moment) -> ServicePush {
        var push = ServicePush(
            kind ?? arrival.kind, bundleID: arrival.bundleID, environment: arrival.push.environment,
            notification: arrival.sequence, subject: arrival.subject)
        push.isTokenRetired = arrival.isTokenRetired
        push.age = now.time.milliseconds(since: arrival.push.receivedAt)
        return push
    }

    private mutating func apply(_ service: Service, at now: Moment) {
        carryOut(at: now, of: service.push.notification) { state, context, effects in
            state.live.services.apply(service.result, of: service.push, context, &effects)
        }
    }
}

extension Inbox {
    func isPresent(_ sequence: UInt64) -> Bool { index(of: sequence).map { self[$0].places.isPresent } ?? false }
}

extension ContentTraits {
    var callerHandle: String? {
        guard isCommunication, let communication, communication.intent == .startCall, !communication.isMissedCall
        else { return nil }
        return communication.sender.handle?.value.ifAny
    }
}

extension Push {
    /// Whether `aps.badge` is −1, which the digest ignores as it does other invalid numbers.
    fileprivate var hasNegativeBadge: Bool {
        !isLocal && JSONValue(payload.span.bytes)?["aps"]?["badge"]?.double == -1
    }
}
