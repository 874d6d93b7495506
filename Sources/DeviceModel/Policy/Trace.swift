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

    var bundleID: String { inputs.circumstances.app.bundleID }
    var device: DeviceConditions { inputs.circumstances.device }
    /// When it makes itself felt, once that is decided.
    var timing: Timing { outcome.timing }

    var focusName: String {
        guard let focus = inputs.circumstances.focus else { return "no Focus" }
        return "the active Focus \"\(focus.name.isEmpty ? focus.id : focus.name)\""
    }

    /// Who sent it, such as `contact:C1`.
    var senderID: String { inputs.sender?.id ?? "nobody" }
}

/// A rule that was tried on the way to a decision.
package struct TraceStep: Sendable, Hashable {
    /// The stage of the decision, such as `focus`.
    package var stage: String
    /// The rule's stable name, such as `F5`.
    package var rule: String
    /// What the rule asked, with the values it looked at, such as `does the active Focus "Work" allow com.example.app?`;
    /// `otherwise` for the last rule of a stage.
    package var facts: String
    /// What follows from a yes; nil when the rule passed the decision on.
    package var answer: String?
    /// Where the rule comes from: `WWDC21 10091`, `doc: …`, `gk`, `design`, `inferred`.
    package var source: String

    package init(stage: String, rule: String, facts: String = "", answer: String?, source: String) {
        self.stage = stage
        self.rule = rule
        self.facts = facts
        self.answer = answer
        self.source = source
    }
}
