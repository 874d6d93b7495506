/// The rules tried so far, and whom they are told about.
final class Trace {
    /// Whom the questions are about.
    let inputs: InterruptionInputs
    /// The rules tried, in their order.
    var steps: [TraceStep] = []

    /// Before the first rule.
    init(_ inputs: InterruptionInputs) { self.inputs = inputs }
}

/// What a rule's question in words may mention.
struct Subject {
    /// The push and its circumstances.
    let inputs: InterruptionInputs
    /// What was decided before the rule was tried.
    let outcome: InterruptionOutcome

    /// The app.
    var bundleID: String { inputs.circumstances.app.bundleID }
    /// The device.
    var device: DeviceConditions { inputs.circumstances.device }
    /// When it makes itself felt, once that is decided.
    var timing: Timing { outcome.timing }

    /// The Focus that is on.
    var focusName: String {
        guard let focus = inputs.circumstances.focus else { return "no Focus" }
        return "the active Focus \"\(focus.name.isEmpty ? focus.id : focus.name)\""
    }

    /// Who sent it, such as `contact:C1`.
    var senderID: String { inputs.sender?.id ?? "nobody" }
}
