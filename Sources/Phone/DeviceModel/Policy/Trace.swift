/// The rules tried so far.
package final class Trace<Inputs> {
    package let inputs: Inputs
    package private(set) var steps: [TraceStep] = []
    /// The index of the step that made the decision what it is.
    package private(set) var decisive = 0
    private var isDecided = false

    package init(_ inputs: Inputs) { self.inputs = inputs }

    @usableFromInline
    package func add<Case: Decidable>(
        _ stage: String, _ row: Rule<Case, some Sendable>, _ answer: String?, _ situation: borrowing Case
    ) where Case.Inputs == Inputs {
        let question = row.question(situation.subject(inputs))
        steps.append(TraceStep(stage: stage, rule: row.name, facts: question, answer: answer, source: row.source))
    }
}

extension Trace<Void> {
    package convenience init() { self.init(()) }
}

extension Trace {
    /// The latest step decided.
    package func decides() {
        decisive = steps.count - 1
        isDecided = true
    }

    /// The latest step is a stage's answer about the timing; a later one overrides it.
    ///
    /// - Parameter hasSay: False for a stage that applies to nothing, such as the Focus stage without a Focus.
    func contributes(if hasSay: Bool) {
        if hasSay || !isDecided { decides() }
    }
}

extension Situation: Decidable {
    func subject(_ inputs: InterruptionInputs) -> Subject { Subject(inputs: inputs, outcome: outcome) }
}

/// What a rule's question may mention.
struct Subject {
    let inputs: InterruptionInputs
    /// Decided before the rule was tried.
    let outcome: InterruptionOutcome

    var bundleID: String { inputs.context.app.bundleID }
    var device: DeviceConditions { inputs.context.device }
    var timing: Timing { outcome.timing }

    var focusName: String {
        guard let focus = inputs.context.focus else { return "no Focus" }
        return "the active Focus \"\(focus.shownName)\""
    }

    var senderID: String { inputs.sender?.id ?? "nobody" }
}

/// A rule that was tried on the way to a decision.
package struct TraceStep: Sendable, Hashable {
    package var stage: String
    package var rule: String
    /// The question with its values; `otherwise` for the last rule of a stage.
    package var facts: String
    /// The consequence of a yes; nil if the rule passed the decision on.
    package var answer: String?
    /// Such as `WWDC21 10091`, `doc: …`, `gk`, `design` or `inferred`.
    package var source: String

    /// Such as `Focus F6: does the active Focus "Work" allow com.example? No; passed on. [WWDC21 10091]`.
    package var sentence: String {
        let name = rule.hasPrefix(stage + ".") ? rule : "\(stage.prefix(1).uppercased())\(stage.dropFirst()) \(rule)"
        return "\(name): \(verdict) [\(source)]"
    }

    private var verdict: String {
        guard let answer else { return "\(facts) No; next rule." }
        guard !facts.isEmpty else { return "\(answer)." }
        return facts.hasSuffix("?") ? "\(facts) Yes: \(answer)." : "\(facts), \(answer)."
    }
}
