internal import APNs
package import DeviceModel
internal import JSON
internal import Time

/// How a start or update alerts the person (live.md L1.4), and findings about probable mistakes.
extension ActivityTable {
    /// - Parameter isStart: A start needs an alert, so it does not count among those that are not essential.
    /// - Returns: The facts and the outcome of the alert.
    mutating func announce(
        _ alert: ActivityAlert, isPassive: Bool, isStart: Bool, _ index: Int, _ context: DeviceContext,
        _ effects: inout DeviceEffects
    ) -> ActivityDecision {
        let bundleID = activities[index].bundleID
        let policy = context.policy(of: bundleID)
        let texts = alert.texts(in: policy)
        var decision = ActivityDecision(bundleID: bundleID, at: context.now)
        decision.insert(alert, texts, isPassive: isPassive, policy, context)
        decision.insert(.isPending, if: activities[index].state == .pending)
        var outcome = AlertOutcome()
        let answer = alertTable.decide(decision, nil) ?? .alerts
        switch answer {
        case .empty: outcome.suppressedBy = texts.title.isEmpty ? "noTitle" : "empty"
        case .passive: outcome.suppressedBy = "passive"
        case .focus: outcome.suppressedBy = "focus"
        case .pending: outcome.suppressedBy = "pending"
        case .inApp, .alerts: outcome.alert(alert, isInApp: answer == .inApp, decision, context)
        }
        decision.alert = outcome
        if outcome.suppressedBy == nil {
            (activities[index].alertedAt, activities[index].lastAlert) = (context.now, texts)
            activities[index].alertPresentation = outcome.presentation
        }
        if !isStart { changeSettings(of: bundleID) { $0.alerts = $0.alerts.suffix(4) + [context.now] } }
        var details = activities[index].details
        details["lit"] = .bool(outcome.lit)
        details["sound"] = outcome.sound.map { .string($0) } ?? .null
        details["presentation"] = .string(outcome.presentation.rawValue)
        details["suppressedBy"] = outcome.suppressedBy.map { .string($0) }
        effects.emit(.activityAlert, app: bundleID, details)
        return decision
    }
}

extension ActivityDecision {
    /// Adds an alert's facts and outcome to the decision.
    mutating func add(_ alerted: ActivityDecision) {
        facts.formUnion(alerted.facts)
        focus = alerted.focus
        alert = alerted.alert
    }

    fileprivate mutating func insert(
        _ alert: ActivityAlert, _ texts: LiveActivity.AlertTexts, isPassive: Bool, _ policy: PolicyContext,
        _ context: DeviceContext
    ) {
        let device = context.device
        let isSoundByDefault = context.assumptions.alertWithoutSound == .default
        insert(.hasAlertText, if: !texts.title.isEmpty || !texts.body.isEmpty)
        insert(.hasAlertTitle, if: !texts.title.isEmpty)
        insert(.hasAlertSound, if: !(alert.sound ?? "").isEmpty)
        insert(.soundsByDefault, if: alert.sound == nil && isSoundByDefault)
        insert(.alertNeedsTitle, if: context.assumptions.alertNeedsTitle)
        insert(.isPassive, if: isPassive)
        insert(.isFrontmost, if: context.isForeground(bundleID))
        insert(.isRingSwitchSilent, if: device.ringSwitch == .silent)
        insert(.isSilencedByFocus, if: !focusAllows(policy))
        focus = device.focus.activeMode?.shownName
    }
}

extension AlertOutcome {
    fileprivate mutating func alert(
        _ alert: ActivityAlert, isInApp: Bool, _ decision: ActivityDecision, _ context: DeviceContext
    ) {
        let device = context.device
        let answer = alertSoundTable.decide(decision, nil)
        lit = true
        sound = answer == .plays ? (alert.sound ?? "default") : nil
        vibrates = answer != .absent && (device.ringSwitch == .silent ? device.haptics.silent : device.haptics.ring)
        presentation = isInApp ? .none : context.alertPresentation
    }
}

extension DeviceContext {
    /// Where the device shows the alert of an activity whose app is not frontmost.
    var alertPresentation: AlertOutcome.Presentation {
        !device.isInUse ? .lockScreen : device.hasDynamicIsland ? .expanded : .banner
    }
}

// MARK: Findings

extension ActivityTable {
    /// Adds the parts of findings that depend on the device's state.
    func addNotes(_ decision: inout ActivityDecision, _ push: ActivityPush, _ app: App, _ context: DeviceContext) {
        let message = push.message
        let settings = settings(of: push.bundleID)
        if decision.reason != .eventNotForToken { decision.addNotes(about: message, app, context) }
        decision.note("la.token.stale", if: decision.reason == .p2sTokenStale)
        decision.note("la.tokenKind", if: decision.reason == .eventNotForToken)
        decision.note("la.timestamp.future", if: decision.facts.contains(.isFuture))
        if case .pushToStart = push.address {
        } else {
            decision.note("la.afterEnd", if: decision.facts.contains(.isOver))
        }
        decision.note("la.size.4k", "\(decision.byteCount ?? 0) bytes", if: decision.facts.contains(.isTooLarge))
        decision.note(
            "la.timestamp.past", "latest: \(decision.lastTimestamp ?? 0)",
            if: decision.facts.contains(.isOlder) && message.event == .update)
        if message.event == .start {
            let others = activities.count {
                $0.state.isOngoing && $0.bundleID == push.bundleID && $0.type == message.attributesType
                    && $0.id != decision.activity && $0.attributes == message.attributes
            }
            decision.note(
                "la.start.duplicate", "\(others) with these attributes", if: others > 0 && decision.reason == nil)
            let limit = context.assumptions.startBudget
            let count = Int(settings.starts.count(of: limit, per: .day, at: context.now).rounded(.up))
            decision.note("la.p2s.repeat", "\(count) of \(limit)", if: count * 2 > limit)
        } else if push.priority == .immediate {
            let limit = settings.updateLimit(app, on: context.device.osVersion, context.assumptions)
            let count = Int(settings.updates.count(of: limit, per: .hour, at: context.now).rounded(.up))
            decision.note("la.priority.budget", "\(count) of \(limit)", if: count > limit)
        }
        if message.alert != nil, message.event != .start, decision.facts.contains(.isApplied),
            settings.alerts.count == 5, let first = settings.alerts.first
        {
            decision.note("la.alert.everyUpdate", if: context.now.milliseconds(since: first) <= 600_000)
        }
    }
}

extension ActivityDecision {
    fileprivate mutating func addNotes(about message: ActivityMessage, _ app: App, _ context: DeviceContext) {
        note("la.stale.past", if: message.staleDate.map { $0 <= context.now } ?? false)
        let latest = context.now.advanced(by: LiveActivity.afterlife)
        note("la.dismissal.cap", if: message.event == .end && message.dismissalDate.map { $0 > latest } ?? false)
        for finding in ActivityFinding.all(in: message, type: type, app) { note(finding.id, finding.detail) }
    }
}

/// Findings about a content-state whose type is known.
package enum ActivityFinding {
    package static func all(
        in message: ActivityMessage, type name: String?, _ app: App
    ) -> [(id: String, detail: String)] {
        guard let declared = app.liveActivities, !declared.acceptsEverything else {
            return message.event == nil ? [] : [("la.type.undeclared", "")]
        }
        guard let name, let type = declared.type(name), let content = message.contentState else { return [] }
        var findings: [(String, String)] = []
        if let failure = message.failure(decodingContentOf: name, app) {
            let effect = message.event == .start ? "the device drops the start" : "the old content stays"
            findings.append(("la.state.decode", "\(name): \(failure.sentence); \(effect)"))
            if let other = failure.misspelling {
                findings.append(("la.state.case", "\"\(other)\", not \(failure.path)"))
            }
            if failure.isDateText { findings.append(("la.state.dateString", failure.path)) }
        }
        let odd = type.contentState.oddities(of: content, at: ActivityMessage.root)
        findings += odd.lateDates.map { ("la.state.date1970", "\($0.0) is \($0.1.text.prefix(10))") }
        return findings + odd.nulls.map { ("la.state.null", $0) }
    }
}
