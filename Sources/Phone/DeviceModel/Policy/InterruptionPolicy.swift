/// A push's effects on the device and the facts behind them; a push with the same facts reuses the decision. Allocates
/// nothing unless a Focus looks up a sender among the contacts.
package struct MadeDecision: Sendable {
    private let facts: Facts
    package let outcome: InterruptionOutcome

    /// - Parameter last: Any earlier decision; a decision depends only on its facts.
    package init(_ inputs: borrowing InterruptionInputs, last: MadeDecision?) {
        var situation = Situation(inputs)
        facts = situation.facts
        if let last, last.facts == facts {
            outcome = last.outcome
        } else {
            situation.decide(.all, nil)
            outcome = situation.outcome
        }
    }
}

/// A decision with its reasons.
package struct Explanation: Sendable {
    package let outcome: InterruptionOutcome
    /// Every rule tried.
    package let trace: [TraceStep]
    /// The index in `trace` of the step that made the timing what it is.
    package let decidedBy: Int
}

/// Decides as `MadeDecision` does and reports every rule tried.
package func explain(_ inputs: InterruptionInputs) -> Explanation {
    let trace = Trace(inputs)
    var situation = Situation(inputs)
    situation.decide(.all, trace)
    return Explanation(outcome: situation.outcome, trace: trace.steps, decidedBy: trace.decisive)
}

extension Situation {
    /// Runs the stages in order (B.1). A stage whose table ends with `otherwise` always answers.
    fileprivate mutating func decide(_ tables: PolicyTables, _ trace: Trace<InterruptionInputs>?) {
        guard tables.authorization.decide(self, trace) != AuthorizationAnswer.none else {
            outcome.timing = .notAllowed
            trace?.decides()
            return
        }
        decideLevel(tables, trace)
        decideCommunication(tables, trace)
        let setsBadge = tables.badge.decide(self, trace) == .set
        setTiming(decideTiming(tables, trace))
        decideLook(tables, trace)
        decideSound(tables, trace)
        if tables.announce.decide(self, trace) == .announced { outcome.presentation.insert(.announced) }
        outcome.presentation.formUnion(tables.carPlay.decide(self, trace) ?? [])
        if setsBadge { outcome.presentation.insert(.badge) }
        if !facts.contains(.hasAlert) { outcome.timing = .nothingToShow }
    }

    private mutating func decideLevel(_ tables: PolicyTables, _ trace: Trace<InterruptionInputs>?) {
        let answer = tables.critical.decide(self, trace)
        if answer == .refused && facts.contains(.asksForCritical) {
            facts.insert(.asksForPassive, if: facts.contains(.downgradesToPassive))
            facts.insert(.asksForTimeSensitive, if: facts.contains(.downgradesToTimeSensitive))
        }
        facts.insert(.isCritical, if: answer == .granted)
        outcome.level = tables.level.decide(self, trace) ?? .active
        facts.insert(.isPassive, if: outcome.level == .passive)
        facts.insert(.isTimeSensitive, if: outcome.level == .timeSensitive)
        // Critical alerts have their own authorization.
        facts.insert(.isQuiet, if: facts.contains(.isProvisional) && answer != .granted)
    }

    private mutating func decideCommunication(_ tables: PolicyTables, _ trace: Trace<InterruptionInputs>?) {
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

    private mutating func decideLook(_ tables: PolicyTables, _ trace: Trace<InterruptionInputs>?) {
        outcome.presentation = tables.presentation.decide(self, trace) ?? []
        // Without text, nothing is shown, whatever the timing was.
        if !facts.contains(.hasAlert) { trace?.decides() }
        tables.foreground.apply(to: &self, trace)
        tables.screen.apply(to: &self, trace)
        tables.settings.apply(to: &self, trace)
        facts.insert(.isVisible, if: !outcome.presentation.isDisjoint(with: .surfaces))
        facts.insert(.showsBanner, if: outcome.presentation.contains(.banner))
        tables.look.apply(to: &self, trace)
    }

    private mutating func decideSound(_ tables: PolicyTables, _ trace: Trace<InterruptionInputs>?) {
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
    /// Where the person can see a notification.
    package static let surfaces: Self = [.banner, .lockScreen, .notificationCenter]
}

/// All tables, in the order of their stages; in one place so that a decision finds them with one access.
struct PolicyTables: Sendable {
    let authorization = authorizationTable
    let critical = criticalTable
    let level = levelTable
    let communication = communicationTable
    let badge = badgeTable
    let immediacy = immediacyTable
    let summary = summaryTable
    let focus = focusTable
    let calls = callTable
    let presentation = presentationTable
    let foreground = foregroundMask
    let screen = screenMask
    let settings = settingsMask
    let look = lookMask
    let sound = soundTable
    let haptic = hapticTable
    let announce = announceTable
    let carPlay = carPlayTable

    static let all = PolicyTables()
}
