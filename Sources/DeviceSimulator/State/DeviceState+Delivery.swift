internal import APNs
internal import DeviceModel

/// Delivery by push type.
extension DeviceState {
    mutating func deliver(_ arrival: Arrival, _ context: PolicyContext, at place: Int, _ now: Instant) {
        switch arrival.kind {
        case .alert:
            if arrival.traits.isMutable, startExtension(arrival, context, at: place, now) { return }
            deliverAlert(arrival, context, at: place, now)
        case .background: deliverBackground(arrival, at: place, now)
        case .complication: deliverComplication(arrival, at: place, now)
        case .liveactivity: deliverActivity(arrival, at: place, now)
        case .controls, .fileprovider, .location, .mdm, .pushtotalk, .voip, .widgets:
            complete(place, arrival.push, at: now)
        }
    }

    mutating func complete(_ place: Int, _ push: Push, at now: Instant) {
        lastEvent = inbox[place].complete(push, at: now, after: lastEvent)
        counts.delivered += 1
    }

    // MARK: Alerts

    mutating func deliverAlert(_ arrival: Arrival, _ context: PolicyContext, at place: Int, _ now: Instant) {
        var inputs = InterruptionInputs(content: arrival.traits, context: context, now: now)
        for index in apps.indices where apps[index].bundleID == arrival.bundleID {
            inputs.isTimeSensitiveIntroduced = apps[index].isTimeSensitiveIntroduced
            inputs.isProvisionalIntroduced = apps[index].isProvisionalIntroduced
            if let handle = arrival.traits.callerHandle {
                inputs.sinceLastCall = apps[index].time(sinceCallFrom: handle, now)
            }
        }
        let outcome = catalog.decide(inputs)
        let wakesApp = arrival.traits.isContentAvailable && wakes(arrival.bundleID)
        if outcome.timing == .notAllowed, !wakesApp { return discard(place, .disabled, arrival.push, at: now) }
        let sequence = arrival.sequence
        if outcome.timing != .notAllowed {
            if outcome.timing != .nothingToShow { replaceFormer(arrival, at: now) }
            if outcome.presentation.hasAny(of: .badge), let badge = arrival.traits.badge {
                setBadge(badge, of: arrival.bundleID, at: now)
            }
        }
        // Replacing and removing do not move inbox entries, so `place` is still valid.
        var places = places(of: outcome)
        if inputs.sinceLastCall.map({ $0 <= context.assumptions.repeatedCallWindow }) == true {
            places.insert(.repeatedCall)
        }
        if wakesApp { places.insert(.wokeApp) }
        inbox[place].present(outcome, in: places)
        if !arrival.traits.categoryIdentifier.isEmpty { inbox[place].setCategory(arrival.traits.categoryIdentifier) }
        complete(place, arrival.push, at: now)
        if places.contains(.nextSummary) { deferToSummary(arrival, at: now) }
        remember(outcome, sequence, arrival, at: now)
        if outcome.isCommunication { suggestContact(inputs, outcome, sequence, at: now) }
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

    mutating func deferToSummary(_ arrival: Arrival, at now: Instant) {
        let content = content(of: arrival.sequence, arrival.push)
        nextSummary.append(SummaryItem(content, sequence: arrival.sequence, app: arrival.bundleID))
        // The first item sets the time; an existing one may belong to a summary whose notifications are gone.
        if nextSummary.count == 1 { nextSummaryAt = summaryTime(after: now) }
    }

    private mutating func remember(
        _ outcome: InterruptionOutcome, _ sequence: UInt64, _ arrival: Arrival, at now: Instant
    ) {
        if let identifier = arrival.push.collapseID, inbox.isPresent(sequence) {
            // Most providers never reuse an identifier, so purge those of removed notifications now and then.
            if collapsed.count > 2 * inbox.count + 16 { collapsed = collapsed.filter { inbox.isPresent($0.value) } }
            collapsed[CollapseKey(bundleID: arrival.bundleID, identifier: identifier)] = sequence
        }
        if outcome.presentation.hasAny(of: .timeSensitivePrompt) {
            let app = appIndex(arrival.bundleID)
            apps[app].isTimeSensitiveIntroduced = true
            apps[app].timeSensitiveReviewedAt = now
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
            (apps[app].lastCaller, apps[app].lastCallAt) = (handle, now)
        }
    }

    /// Prompts again after a while of use (B.10).
    private mutating func reviewTimeSensitive(_ bundleID: String, _ sequence: UInt64, at now: Instant) {
        let app = appIndex(bundleID)
        guard let last = apps[app].timeSensitiveReviewedAt, let place = inbox.index(of: sequence),
            last.advanced(by: inbox[place].context.assumptions.timeSensitiveReviewInterval) <= now
        else { return }
        apps[app].timeSensitiveReviewedAt = now
        apps[app].prompt = .timeSensitiveReview
        emit(.prompt, sequence, app: bundleID, Prompt.timeSensitiveReview.details(isSummaryOn: false), at: now)
    }

    // MARK: Other push types

    private mutating func deliverBackground(_ arrival: Arrival, at place: Int, _ now: Instant) {
        guard wakes(arrival.bundleID) else { return discard(place, .appTerminated, arrival.push, at: now) }
        let app = appIndex(arrival.bundleID)
        apps[app].backgroundWakes = (apps[app].backgroundWakes ?? []).filter { $0.advanced(by: .hour) > now } + [now]
        inbox[place].places = .wokeApp
        complete(place, arrival.push, at: now)
    }

    private func wakes(_ bundleID: String) -> Bool { app(bundleID)?.isTerminated != true }

    private mutating func deliverComplication(_ arrival: Arrival, at place: Int, _ now: Instant) {
        let app = appIndex(arrival.bundleID)
        let day = now.day
        let count = apps[app].complicationDay == day ? apps[app].complicationCount ?? 0 : 0
        guard count < catalog.assumptions.complicationBudget else {
            return discard(place, .budgetExceeded, arrival.push, at: now)
        }
        (apps[app].complicationDay, apps[app].complicationCount) = (day, count + 1)
        complete(place, arrival.push, at: now)
    }
}

extension AppState {
    /// Milliseconds since the last call; nil if another caller made it.
    fileprivate func time(sinceCallFrom handle: String, _ now: Instant) -> Int64? {
        self.lastCaller == handle ? self.lastCallAt.map { now.milliseconds(since: $0) } : nil
    }
}

extension Inbox {
    func isPresent(_ sequence: UInt64) -> Bool { index(of: sequence).map { self[$0].places.isPresent } ?? false }
}

extension ContentTraits {
    var callerHandle: String? {
        guard isCommunication, let communication, communication.intent == .startCall else { return nil }
        return communication.sender.handle?.value
    }
}
