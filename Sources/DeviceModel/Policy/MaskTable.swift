/// Rows that each may change what is presented; all of them are tried, in order.
///
/// The trace keeps those that changed something.
struct MaskTable: Sendable {
    /// A rule.
    struct Row: Sendable {
        /// The stable name, such as `settings.lockScreen`.
        let rule: String
        /// Where the rule comes from.
        let source: String
        /// What the row does to the bits.
        let change: Change
        /// The question in words; asked for only when a trace is written.
        let asks: @Sendable (Subject) -> String
        /// What must be true.
        let wanted: Claims
        /// What must not be true.
        let unwanted: Claims

        /// A row that applies when all of `wanted` is true and none of `unwanted`.
        init(
            _ rule: String, _ change: Change, _ source: String, asks: @escaping @Sendable (Subject) -> String,
            when wanted: Claims = [], unless unwanted: Claims = []
        ) {
            self.rule = rule
            self.change = change
            self.source = source
            self.asks = asks
            self.wanted = wanted
            self.unwanted = unwanted
        }

        /// A row whose question is always the same.
        init(
            _ rule: String, _ change: Change, _ source: String, asks question: String, when wanted: Claims = [],
            unless unwanted: Claims = []
        ) {
            self.init(rule, change, source, asks: { _ in question }, when: wanted, unless: unwanted)
        }
    }

    /// What a row does to the bits.
    enum Change: Sendable {
        /// Adds bits.
        case sets(Presentation)
        /// Takes bits away.
        case clears(Presentation)

        /// The bits afterwards.
        func callAsFunction(_ presentation: Presentation) -> Presentation {
            switch self {
            case .sets(let bits): presentation.union(bits)
            case .clears(let bits): presentation.subtracting(bits)
            }
        }
    }

    /// What is decided, such as `settings`.
    let stage: String
    /// The rules, in their order.
    let rows: [Row]

    /// Changes what the situation presents.
    func apply(to situation: inout Situation, _ trace: Trace?) {
        for index in rows.indices
        where situation.claims.match(rows[index].wanted, without: rows[index].unwanted) {
            let before = situation.outcome.presentation
            let after = rows[index].change(before)
            guard after != before else { continue }
            if let trace { trace.add(stage, rows[index], situation.outcome, after) }
            situation.outcome.presentation = after
        }
    }
}

extension Trace {
    fileprivate func add(
        _ stage: String, _ row: MaskTable.Row, _ outcome: InterruptionOutcome, _ after: Presentation
    ) {
        let question = row.asks(Subject(inputs: inputs, outcome: outcome))
        let lost = outcome.presentation.subtracting(after)
        let answer = lost.isEmpty ? after.subtracting(outcome.presentation).description : "not \(lost)"
        steps.append(TraceStep(stage: stage, rule: row.rule, facts: question, answer: answer, source: row.source))
    }
}
