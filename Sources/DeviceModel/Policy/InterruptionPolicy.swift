/// Decides what a push does on the device.
///
/// Allocates nothing unless a Focus has to look up a sender among the contacts.
public func interruption(for inputs: InterruptionInputs) -> InterruptionOutcome {
    MadeDecision(inputs, last: nil).outcome
}

/// A decision that was made, so that the same question need not be put to every rule again.
public struct MadeDecision: Sendable {
    private let claims: Claims
    private let criticalDowngrade: InterruptionLevel
    private let summaryPrecedesFocus: Bool
    /// What was decided.
    public let outcome: InterruptionOutcome

    /// Decides as `interruption(for:)` does.
    ///
    /// - Parameter last: what was decided before, about whatever push; a decision follows from nothing but its claims and two
    ///   assumptions.
    public init(_ inputs: borrowing InterruptionInputs, last: MadeDecision?) {
        var situation = Situation(inputs)
        claims = situation.claims
        criticalDowngrade = inputs.circumstances.assumptions.criticalDowngrade
        summaryPrecedesFocus = inputs.circumstances.assumptions.summaryPrecedesFocus
        if let last, last.claims == claims, last.criticalDowngrade == criticalDowngrade,
            last.summaryPrecedesFocus == summaryPrecedesFocus
        {
            outcome = last.outcome
        } else {
            situation.decide(inputs.circumstances, .all, nil)
            outcome = situation.outcome
        }
    }
}

/// Decides as `interruption(for:)` does, and tells every rule that was tried.
public func explain(_ inputs: InterruptionInputs) -> (outcome: InterruptionOutcome, trace: [TraceStep]) {
    let trace = Trace(inputs)
    var situation = Situation(inputs)
    situation.decide(inputs.circumstances, .all, trace)
    return (situation.outcome, trace.steps)
}

extension Situation {
    /// The stages in their order (B.1). A stage whose table ends with `otherwise` always answers.
    fileprivate mutating func decide(_ circumstances: Circumstances, _ tables: PolicyTables, _ trace: Trace?) {
        guard tables.authorization.decide(self, trace) != AuthorizationAnswer.none else {
            outcome.timing = .notAllowed
            return
        }
        decideLevel(tables, downgrade: circumstances.assumptions.criticalDowngrade, trace)
        decideCommunication(tables, trace)
        let setsBadge = tables.badge.decide(self, trace) == .set
        setTiming(decideTiming(tables, summaryFirst: circumstances.assumptions.summaryPrecedesFocus, trace))
        decideLook(tables, trace)
        decideSound(tables, trace)
        if tables.announce.decide(self, trace) == .announced { outcome.presentation.insert(.announced) }
        outcome.presentation.formUnion(tables.carPlay.decide(self, trace) ?? [])
        if setsBadge { outcome.presentation.insert(.badge) }
        if !claims.contains(.hasAlert) { outcome.timing = .nothingToShow }
    }

    /// A critical level that is refused counts as the assumed one.
    private mutating func decideLevel(_ tables: PolicyTables, downgrade: InterruptionLevel, _ trace: Trace?) {
        let answer = tables.critical.decide(self, trace)
        if answer == .refused && claims.contains(.asksForCritical) {
            claims.insert(.asksForPassive, if: downgrade == .passive)
            claims.insert(.asksForTimeSensitive, if: downgrade == .timeSensitive)
        }
        claims.insert(.isCritical, if: answer == .granted)
        outcome.level = tables.level.decide(self, trace) ?? .active
        claims.insert(.isPassive, if: outcome.level == .passive)
        claims.insert(.isTimeSensitive, if: outcome.level == .timeSensitive)
        // Critical alerts are authorized by themselves.
        claims.insert(.isQuiet, if: claims.contains(.isOnTrial) && answer != .granted)
    }

    private mutating func decideCommunication(_ tables: PolicyTables, _ trace: Trace?) {
        outcome.isCommunication = tables.communication.decide(self, trace) == .communication
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

    private mutating func decideLook(_ tables: PolicyTables, _ trace: Trace?) {
        outcome.presentation = tables.presentation.decide(self, trace) ?? []
        tables.foreground.apply(to: &self, trace)
        tables.screen.apply(to: &self, trace)
        tables.settings.apply(to: &self, trace)
        claims.insert(.isVisible, if: !outcome.presentation.isDisjoint(with: .surfaces))
        claims.insert(.showsBanner, if: outcome.presentation.contains(.banner))
        tables.look.apply(to: &self, trace)
    }

    private mutating func decideSound(_ tables: PolicyTables, _ trace: Trace?) {
        let answer = tables.sound.decide(self, trace) ?? .notDue
        switch answer {
        case .plays: outcome.presentation.insert(.sound)
        case .critical: outcome.presentation.formUnion([.sound, .criticalSound])
        case .notDue, .absent, .muted: break
        }
        claims.insert(.isSoundDue, if: answer != .notDue)
        if tables.haptic.decide(self, trace) == .vibrates { outcome.presentation.insert(.haptic) }
    }
}

extension Presentation {
    /// Where a notification can be seen.
    fileprivate static let surfaces: Self = [.banner, .lockScreen, .notificationCenter]
}
