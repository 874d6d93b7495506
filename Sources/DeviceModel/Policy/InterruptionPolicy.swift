/// A push's effects on the device and the facts behind them; a push with the same facts reuses the decision. Allocates
/// nothing unless a Focus looks up a sender among the contacts.
package struct MadeDecision: Sendable {
    private let facts: Facts
    private let criticalDowngrade: InterruptionLevel
    private let summaryPrecedesFocus: Bool
    package let outcome: InterruptionOutcome

    /// - Parameter last: Any earlier decision; a decision depends only on its facts and two assumptions.
    package init(_ inputs: borrowing InterruptionInputs, last: MadeDecision?) {
        var situation = Situation(inputs)
        facts = situation.facts
        criticalDowngrade = inputs.context.assumptions.criticalDowngrade
        summaryPrecedesFocus = inputs.context.assumptions.summaryPrecedesFocus
        if let last, last.facts == facts, last.criticalDowngrade == criticalDowngrade,
            last.summaryPrecedesFocus == summaryPrecedesFocus
        {
            outcome = last.outcome
        } else {
            situation.decide(inputs.context, .all, nil)
            outcome = situation.outcome
        }
    }
}

/// Decides as `MadeDecision` does and reports every rule tried.
package func explain(_ inputs: InterruptionInputs) -> (outcome: InterruptionOutcome, trace: [TraceStep]) {
    let trace = Trace(inputs)
    var situation = Situation(inputs)
    situation.decide(inputs.context, .all, trace)
    return (situation.outcome, trace.steps)
}

extension Situation {
    /// Runs the stages in order (B.1). A stage whose table ends with `otherwise` always answers.
    fileprivate mutating func decide(_ context: PolicyContext, _ tables: PolicyTables, _ trace: Trace?) {
        guard tables.authorization.decide(self, trace) != AuthorizationAnswer.none else {
            outcome.timing = .notAllowed
            return
        }
        decideLevel(tables, downgrade: context.assumptions.criticalDowngrade, trace)
        decideCommunication(tables, trace)
        let setsBadge = tables.badge.decide(self, trace) == .set
        setTiming(decideTiming(tables, summaryFirst: context.assumptions.summaryPrecedesFocus, trace))
        decideLook(tables, trace)
        decideSound(tables, trace)
        if tables.announce.decide(self, trace) == .announced { outcome.presentation.insert(.announced) }
        outcome.presentation.formUnion(tables.carPlay.decide(self, trace) ?? [])
        if setsBadge { outcome.presentation.insert(.badge) }
        if !facts.contains(.hasAlert) { outcome.timing = .nothingToShow }
    }

    /// A refused critical level becomes the assumed `downgrade`.
    private mutating func decideLevel(_ tables: PolicyTables, downgrade: InterruptionLevel, _ trace: Trace?) {
        let answer = tables.critical.decide(self, trace)
        if answer == .refused && facts.contains(.asksForCritical) {
            facts.insert(.asksForPassive, if: downgrade == .passive)
            facts.insert(.asksForTimeSensitive, if: downgrade == .timeSensitive)
        }
        facts.insert(.isCritical, if: answer == .granted)
        outcome.level = tables.level.decide(self, trace) ?? .active
        facts.insert(.isPassive, if: outcome.level == .passive)
        facts.insert(.isTimeSensitive, if: outcome.level == .timeSensitive)
        // Critical alerts have their own authorization.
        facts.insert(.isQuiet, if: facts.contains(.isProvisional) && answer != .granted)
    }

    private mutating func decideCommunication(_ tables: PolicyTables, _ trace: Trace?) {
        outcome.isCommunication = tables.communication.decide(self, trace) == .communication
        facts.insert(.isCommunication, if: outcome.isCommunication)
        facts.insert(.judgesSenderOnly, if: outcome.isCommunication && facts.contains(.usesSenderOnly))
    }

    private mutating func setTiming(_ timing: Timing) {
        outcome.timing = timing
        facts.insert(.isNow, if: timing == .now)
        facts.insert(.isLeftToApp, if: timing == .foreground)
        facts.insert(.isDeliveredQuietly, if: timing == .quiet)
        facts.insert(.isSilenced, if: timing == .silencedByFocus)
        facts.insert(.isDeferred, if: timing == .deferredToSummary)
        facts.insert(.isAlerting, if: timing == .now || timing == .foreground)
    }

    private mutating func decideLook(_ tables: PolicyTables, _ trace: Trace?) {
        outcome.presentation = tables.presentation.decide(self, trace) ?? []
        tables.foreground.apply(to: &self, trace)
        tables.screen.apply(to: &self, trace)
        tables.settings.apply(to: &self, trace)
        facts.insert(.isVisible, if: !outcome.presentation.isDisjoint(with: .surfaces))
        facts.insert(.showsBanner, if: outcome.presentation.contains(.banner))
        tables.look.apply(to: &self, trace)
    }

    private mutating func decideSound(_ tables: PolicyTables, _ trace: Trace?) {
        let answer = tables.sound.decide(self, trace) ?? .notDue
        switch answer {
        case .plays: outcome.presentation.insert(.sound)
        case .critical: outcome.presentation.formUnion([.sound, .criticalSound])
        case .notDue, .absent, .muted: break
        }
        facts.insert(.isSoundDue, if: answer != .notDue)
        if tables.haptic.decide(self, trace) == .vibrates { outcome.presentation.insert(.haptic) }
    }
}

extension Presentation {
    fileprivate static let surfaces: Self = [.banner, .lockScreen, .notificationCenter]
}
