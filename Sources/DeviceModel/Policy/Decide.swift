/// Decides what a push does on the device.
///
/// Allocates nothing unless a Focus has to look up a sender among the contacts.
public func interruption(for inputs: InterruptionInputs) -> InterruptionOutcome {
    var situation = Situation(inputs)
    situation.decide(inputs.circumstances, nil)
    return situation.outcome
}

/// Decides as `interruption(for:)` does, and tells every rule that was tried.
public func explain(_ inputs: InterruptionInputs) -> (outcome: InterruptionOutcome, trace: [TraceStep]) {
    let trace = Trace(inputs)
    var situation = Situation(inputs)
    situation.decide(inputs.circumstances, trace)
    return (situation.outcome, trace.steps)
}

extension Situation {
    /// The stages in their order (B.1). A stage whose table ends with `otherwise` always answers.
    fileprivate mutating func decide(_ circumstances: Circumstances, _ trace: Trace?) {
        guard authorizationTable.decide(self, trace) != AuthorizationAnswer.none else {
            outcome.timing = .notAllowed
            return
        }
        decideLevel(downgrade: circumstances.assumptions.criticalDowngrade, trace)
        decideCommunication(trace)
        let setsBadge = badgeTable.decide(self, trace) == .set
        setTiming(decideTiming(summaryFirst: circumstances.assumptions.summaryPrecedesFocus, trace))
        decideLook(trace)
        decideSound(trace)
        if announceTable.decide(self, trace) == .announced { outcome.presentation.insert(.announced) }
        outcome.presentation.formUnion(carPlayTable.decide(self, trace) ?? [])
        if setsBadge { outcome.presentation.insert(.badge) }
        if !claims.contains(.hasAlert) { outcome.timing = .nothingToShow }
    }

    /// A critical level that is refused counts as the assumed one.
    private mutating func decideLevel(downgrade: InterruptionLevel, _ trace: Trace?) {
        let answer = criticalTable.decide(self, trace)
        if answer == .refused && claims.contains(.asksForCritical) {
            claims.insert(.asksForPassive, if: downgrade == .passive)
            claims.insert(.asksForTimeSensitive, if: downgrade == .timeSensitive)
        }
        claims.insert(.isCritical, if: answer == .granted)
        outcome.level = levelTable.decide(self, trace) ?? .active
        claims.insert(.isPassive, if: outcome.level == .passive)
        claims.insert(.isTimeSensitive, if: outcome.level == .timeSensitive)
        // Critical alerts are authorized by themselves.
        claims.insert(.isQuiet, if: claims.contains(.isOnTrial) && answer != .granted)
    }

    private mutating func decideCommunication(_ trace: Trace?) {
        outcome.isCommunication = communicationTable.decide(self, trace) == .communication
        claims.insert(.isCommunication, if: outcome.isCommunication)
        claims.insert(.judgesSenderOnly, if: outcome.isCommunication && claims.contains(.usesSenderOnly))
    }

    private mutating func setTiming(_ timing: Timing) {
        outcome.timing = timing
        claims.insert(.isNow, if: timing == .now)
        claims.insert(.isLeftToApp, if: timing == .foreground)
        claims.insert(.isDeliveredQuietly, if: timing == .quiet)
        claims.insert(.isSilenced, if: timing == .silencedByFocus)
        claims.insert(.isDeferred, if: timing == .deferredToSummary)
        claims.insert(.isAlerting, if: timing == .now || timing == .foreground)
    }

    private mutating func decideLook(_ trace: Trace?) {
        outcome.presentation = presentationTable.decide(self, trace) ?? []
        foregroundMask.apply(to: &self, trace)
        screenMask.apply(to: &self, trace)
        settingsMask.apply(to: &self, trace)
        claims.insert(.isVisible, if: !outcome.presentation.isDisjoint(with: .surfaces))
        claims.insert(.showsBanner, if: outcome.presentation.contains(.banner))
        lookMask.apply(to: &self, trace)
    }

    private mutating func decideSound(_ trace: Trace?) {
        let answer = soundTable.decide(self, trace) ?? .notDue
        switch answer {
        case .plays: outcome.presentation.insert(.sound)
        case .critical: outcome.presentation.formUnion([.sound, .criticalSound])
        case .notDue, .absent, .muted: break
        }
        claims.insert(.isSoundDue, if: answer != .notDue)
        if hapticTable.decide(self, trace) == .vibrates { outcome.presentation.insert(.haptic) }
    }
}

extension Presentation {
    /// Where a notification can be seen.
    fileprivate static let surfaces: Self = [.banner, .lockScreen, .notificationCenter]
}
