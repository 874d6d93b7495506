/// Rows tried in order; the first that applies answers.
///
/// With a trace to write, every row tried is remembered with what it asked; without one, a decision allocates nothing.
struct DecisionTable<Answer: Sendable & CustomStringConvertible>: Sendable {
    /// What is decided, such as `focus`.
    let stage: String
    let rows: [Rule<Answer>]

    /// Decides; nil when no row applies, so a table that must answer ends with `otherwise`.
    func decide(_ situation: Situation, _ trace: Trace?) -> Answer? {
        for index in rows.indices {
            let applies = rows[index].applies(to: situation)
            if let trace { trace.add(stage, rows[index], applies, situation.outcome) }
            if applies { return rows[index].verdict }
        }
        return nil
    }
}

extension Trace {
    fileprivate func add<Answer: CustomStringConvertible>(
        _ stage: String, _ row: Rule<Answer>, _ applies: Bool, _ outcome: InterruptionOutcome
    ) {
        let question = row.asks(Subject(inputs: inputs, outcome: outcome))
        let answer = applies ? row.verdict.description : nil
        steps.append(TraceStep(stage: stage, rule: row.name, facts: question, answer: answer, source: row.source))
    }
}
