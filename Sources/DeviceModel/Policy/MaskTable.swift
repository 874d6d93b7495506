/// Rows that each may change what is presented; all of them are tried, in order.
///
/// The trace keeps those that changed something.
struct MaskTable: Sendable {
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
    let rows: [Rule<Change>]

    /// Changes what the situation presents.
    func apply(to situation: inout Situation, _ trace: Trace?) {
        for index in rows.indices where rows[index].applies(to: situation) {
            let before = situation.outcome.presentation
            let after = rows[index].verdict(before)
            guard after != before else { continue }
            if let trace { trace.add(stage, rows[index], situation.outcome, after) }
            situation.outcome.presentation = after
        }
    }
}

extension Trace {
    fileprivate func add(
        _ stage: String, _ row: Rule<MaskTable.Change>, _ outcome: InterruptionOutcome, _ after: Presentation
    ) {
        let question = row.asks(Subject(inputs: inputs, outcome: outcome))
        let lost = outcome.presentation.subtracting(after)
        let answer = lost.isEmpty ? after.subtracting(outcome.presentation).description : "not \(lost)"
        steps.append(TraceStep(stage: stage, rule: row.name, facts: question, answer: answer, source: row.source))
    }
}
