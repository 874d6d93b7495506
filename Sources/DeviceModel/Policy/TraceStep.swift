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

    /// Makes a step.
    package init(stage: String, rule: String, facts: String = "", answer: String?, source: String) {
        self.stage = stage
        self.rule = rule
        self.facts = facts
        self.answer = answer
        self.source = source
    }
}
