/// Rows that each may change what is presented; all of them are tried, in order.
///
/// The trace keeps those that changed something.
struct MaskTable: Sendable {
    struct Row: Sendable {
        /// The stable name, such as `settings.lockScreen`.
        let rule: String
        /// Where the rule comes from.
        let source: String
        let change: Change
        /// The question in words; asked for only when a trace is written.
        let asks: @Sendable (borrowing Situation) -> String
        let applies: @Sendable (borrowing Situation) -> Bool

        init(
            _ rule: String, _ change: Change, _ source: String,
            asks: @escaping @Sendable (borrowing Situation) -> String,
            when applies: @escaping @Sendable (borrowing Situation) -> Bool
        ) {
            self.rule = rule
            self.change = change
            self.source = source
            self.asks = asks
            self.applies = applies
        }
    }

    /// What a row does to the bits.
    enum Change: Sendable {
        case sets(Presentation)
        case clears(Presentation)

        func callAsFunction(_ presentation: Presentation) -> Presentation {
            switch self {
            case .sets(let bits): presentation.union(bits)
            case .clears(let bits): presentation.subtracting(bits)
            }
        }
    }

    /// What is decided, such as `settings`.
    let stage: String
    let rows: [Row]

    /// Changes what the situation presents.
    func apply(to situation: inout Situation, _ trace: inout [TraceStep]?) {
        for index in rows.indices where rows[index].applies(situation) {
            let before = situation.outcome.presentation
            let after = rows[index].change(before)
            guard after != before else { continue }
            if trace != nil { trace?.append(step(rows[index], situation, before, after)) }
            situation.outcome.presentation = after
        }
    }

    private func step(
        _ row: Row, _ situation: borrowing Situation, _ before: Presentation, _ after: Presentation
    ) -> TraceStep {
        let lost = before.subtracting(after)
        return TraceStep(
            stage: stage, rule: row.rule, facts: row.asks(situation),
            answer: lost.isEmpty ? after.subtracting(before).description : "not \(lost)", source: row.source)
    }
}
