/// Decides what a push does on the device.
///
/// Allocates nothing as long as no Focus has to look up a sender or a caller.
public func interruption(for inputs: InterruptionInputs) -> InterruptionOutcome {
    var trace: Trace?
    var situation = Situation(inputs)
    situation.decide(&trace)
    return situation.outcome
}

/// Decides as `interruption(for:)` does, and tells every rule that was tried.
public func explain(_ inputs: InterruptionInputs) -> (outcome: InterruptionOutcome, trace: [TraceStep]) {
    var trace: Trace? = Trace(inputs)
    var situation = Situation(inputs)
    situation.decide(&trace)
    return (situation.outcome, trace?.steps ?? [])
}

extension Situation {
    /// The stages in their order (B.1). A stage whose table ends with `otherwise` always answers.
    fileprivate mutating func decide(_ trace: inout Trace?) {
        authorization = authorizationTable.decide(self, &trace) ?? .none
        guard authorization != .none else {
            outcome.timing = .notAllowed
            return
        }
        critical = criticalTable.decide(self, &trace) ?? .notAsked
        outcome.level = levelTable.decide(self, &trace) ?? .active
        outcome.isCommunication = communicationTable.decide(self, &trace) == .communication
        let setsBadge = badgeTable.decide(self, &trace) == .set
        outcome.timing = decideTiming(&trace)
        decideLook(&trace)
        decideSound(&trace)
        if announceTable.decide(self, &trace) == .announced { outcome.presentation.insert(.announced) }
        outcome.presentation.formUnion(carPlayTable.decide(self, &trace) ?? [])
        if setsBadge { outcome.presentation.insert(.badge) }
        if !hasAlert { outcome.timing = .nothingToShow }
    }

    private mutating func decideLook(_ trace: inout Trace?) {
        outcome.presentation = presentationTable.decide(self, &trace) ?? []
        foregroundMask.apply(to: &self, &trace)
        screenMask.apply(to: &self, &trace)
        settingsMask.apply(to: &self, &trace)
        lookMask.apply(to: &self, &trace)
    }

    private mutating func decideSound(_ trace: inout Trace?) {
        sound = soundTable.decide(self, &trace) ?? .notDue
        switch sound {
        case .plays: outcome.presentation.insert(.sound)
        case .critical: outcome.presentation.formUnion([.sound, .criticalSound])
        case .notDue, .absent, .muted: break
        }
        if hapticTable.decide(self, &trace) == .vibrates { outcome.presentation.insert(.haptic) }
    }
}
