/// Rows tried in order; the first that answers wins.
///
/// With a trace to write, every row tried is remembered with what it looked at; without one, a decision allocates nothing.
struct DecisionTable<Inputs, Answer: Sendable & CustomStringConvertible>: Sendable {
    struct Row: Sendable {
        var rule: String
        var source: String
        /// What the row looks at, in words; asked for only when a trace is written.
        var facts: @Sendable (Inputs) -> String
        /// nil passes the decision on to the next row.
        var answer: @Sendable (Inputs) -> Answer?

        init(
            _ rule: String, _ source: String, facts: @escaping @Sendable (Inputs) -> String = { _ in "" },
            _ answer: @escaping @Sendable (Inputs) -> Answer?
        ) {
            self.rule = rule
            self.source = source
            self.facts = facts
            self.answer = answer
        }
    }

    /// What is decided, such as `focus`.
    var stage: String
    var rows: [Row]

    /// Decides; nil when no row answers, so the last row should always answer.
    func decide(_ inputs: Inputs, _ trace: inout [TraceStep]?) -> Answer? {
        for row in rows {
            let answer = row.answer(inputs)
            if trace != nil {
                trace?.append(
                    TraceStep(
                        stage: stage, rule: row.rule, facts: row.facts(inputs), answer: answer?.description,
                        source: row.source))
            }
            if let answer { return answer }
        }
        return nil
    }
}
