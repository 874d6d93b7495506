/// The rules tried so far, and whom they are told about.
final class Trace {
    let inputs: InterruptionInputs
    var steps: [TraceStep] = []

    init(_ inputs: InterruptionInputs) { self.inputs = inputs }
}

/// What a rule's question in words may mention.
struct Subject {
    let inputs: InterruptionInputs
    /// What was decided before the rule was tried.
    let outcome: InterruptionOutcome

    var bundleID: String { inputs.circumstances.app.bundleID }
    var device: DeviceConditions { inputs.circumstances.device }
    var timing: Timing { outcome.timing }

    /// The Focus that is on.
    var focusName: String {
        guard let focus = inputs.circumstances.focus else { return "no Focus" }
        return "the active Focus \"\(focus.name.isEmpty ? focus.id : focus.name)\""
    }

    /// Who sent it, such as `contact:C1`.
    var senderID: String { inputs.sender?.id ?? "nobody" }
}
