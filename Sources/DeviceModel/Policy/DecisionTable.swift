/// A table's answer, in the words of the trace.
package protocol PolicyAnswer: RawRepresentable<String>, Sendable, CustomStringConvertible {}

extension PolicyAnswer {
    package var description: String { rawValue }
}

extension Timing: PolicyAnswer {}
extension InterruptionLevel: PolicyAnswer {}

/// Rows tried in order; the first that applies answers. A trace records every row tried; without a trace, a decision
/// allocates nothing.
struct DecisionTable<Answer: Sendable & CustomStringConvertible>: Sendable {
    let stage: String
    let rows: [Rule<Answer>]

    /// - Returns: nil when no row applies; a table that must answer ends with `otherwise`.
    func decide(_ situation: Situation, _ trace: Trace?) -> Answer? {
        for index in rows.indices {
            let applies = rows[index].applies(to: situation)
            if let trace {
                let answer = applies ? rows[index].verdict.description : nil
                trace.add(stage, rows[index], answer, situation.outcome)
            }
            if applies { return rows[index].verdict }
        }
        return nil
    }
}

extension Trace {
    fileprivate func add(
        _ stage: String, _ row: Rule<some Sendable>, _ answer: String?, _ outcome: InterruptionOutcome
    ) {
        let question = row.asks(Subject(inputs: inputs, outcome: outcome))
        steps.append(TraceStep(stage: stage, rule: row.name, facts: question, answer: answer, source: row.source))
    }
}

/// A row of a table: its condition, its answer and their source.
struct Rule<Verdict: Sendable>: Sendable {
    /// Stable, such as `F6` or `settings.lockScreen`.
    let name: String
    let source: String
    let verdict: Verdict
    /// The question with its values; only a trace calls it.
    let asks: @Sendable (Subject) -> String
    private let wanted: Facts
    private let unwanted: Facts

    /// Applies when all of `wanted` and none of `unwanted` hold.
    init(
        _ name: String, _ verdict: Verdict, _ source: String, asks: @escaping @Sendable (Subject) -> String,
        when wanted: Facts = [], unless unwanted: Facts = []
    ) {
        self.name = name
        self.verdict = verdict
        self.source = source
        self.asks = asks
        self.wanted = wanted
        self.unwanted = unwanted
    }

    init(
        _ name: String, _ verdict: Verdict, _ source: String, asks question: String, when wanted: Facts = [],
        unless unwanted: Facts = []
    ) {
        self.init(name, verdict, source, asks: { _ in question }, when: wanted, unless: unwanted)
    }

    static func otherwise(_ name: String, _ verdict: Verdict, _ source: String) -> Self {
        Self(name, verdict, source, asks: "otherwise")
    }

    func applies(to situation: Situation) -> Bool { situation.facts.match(wanted, without: unwanted) }
}

/// Rows that may each change the presentation. All are tried; the trace records those that changed something.
struct MaskTable: Sendable {
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

    let stage: String
    let rows: [Rule<Change>]

    func apply(to situation: inout Situation, _ trace: Trace?) {
        for index in rows.indices where rows[index].applies(to: situation) {
            let before = situation.outcome.presentation
            let after = rows[index].verdict(before)
            guard after != before else { continue }
            if let trace {
                let lost = before.subtracting(after)
                let answer = lost.isEmpty ? after.subtracting(before).description : "not \(lost)"
                trace.add(stage, rows[index], answer, situation.outcome)
            }
            situation.outcome.presentation = after
        }
    }
}
