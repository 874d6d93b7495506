/// Rows tried in order; the first that applies answers.
///
/// With a trace to write, every row tried is remembered with what it asked; without one, a decision allocates nothing.
struct DecisionTable<Answer: Sendable & CustomStringConvertible>: Sendable {
    /// A rule.
    struct Row: Sendable {
        /// The stable name, such as `F6`.
        let rule: String
        /// Where the rule comes from.
        let source: String
        /// What the table answers when the row applies.
        let answer: Answer
        /// The question in words, with the values it is about; asked for only when a trace is written.
        let asks: @Sendable (Subject) -> String
        /// What must be true.
        let wanted: Claims
        /// What must not be true.
        let unwanted: Claims

        /// A row that applies when all of `wanted` is true and none of `unwanted`.
        init(
            _ rule: String, _ answer: Answer, _ source: String, asks: @escaping @Sendable (Subject) -> String,
            when wanted: Claims = [], unless unwanted: Claims = []
        ) {
            self.rule = rule
            self.answer = answer
            self.source = source
            self.asks = asks
            self.wanted = wanted
            self.unwanted = unwanted
        }

        /// A row whose question is always the same.
        init(
            _ rule: String, _ answer: Answer, _ source: String, asks question: String, when wanted: Claims = [],
            unless unwanted: Claims = []
        ) {
            self.init(rule, answer, source, asks: { _ in question }, when: wanted, unless: unwanted)
        }

        /// The last row of a table: what holds when no other row applies.
        static func otherwise(_ rule: String, _ answer: Answer, _ source: String) -> Self {
            Self(rule, answer, source, asks: "otherwise")
        }
    }

    /// What is decided, such as `focus`.
    let stage: String
    /// The rules, in their order.
    let rows: [Row]

    /// Decides; nil when no row applies, so a table that must answer ends with `otherwise`.
    func decide(_ situation: Situation, _ trace: Trace?) -> Answer? {
        for index in rows.indices {
            let applies = situation.claims.match(rows[index].wanted, without: rows[index].unwanted)
            if let trace { trace.add(stage, rows[index], applies, situation.outcome) }
            if applies { return rows[index].answer }
        }
        return nil
    }
}

extension Trace {
    fileprivate func add<Answer>(
        _ stage: String, _ row: DecisionTable<Answer>.Row, _ applies: Bool, _ outcome: InterruptionOutcome
    ) {
        let question = row.asks(Subject(inputs: inputs, outcome: outcome))
        let answer = applies ? row.answer.description : nil
        steps.append(TraceStep(stage: stage, rule: row.rule, facts: question, answer: answer, source: row.source))
    }
}
