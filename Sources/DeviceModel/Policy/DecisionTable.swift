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
                trace.add(stage, rows[index], applies ? rows[index].verdict.description : nil, situation.outcome)
            }
            if applies { return rows[index].verdict }
        }
        return nil
    }
}

/// A row of a table: its condition, its answer and their source.
struct Rule<Verdict: Sendable>: Sendable {
    /// Stable, such as `F6` or `settings.lockScreen`.
    let name: String
    let verdict: Verdict
    let source: String
    /// The question with its values; only a trace calls it.
    private(set) var question: @Sendable (Subject) -> String = { _ in "otherwise" }
    private var wanted: Facts = []
    private var unwanted: Facts = []

    init(_ name: String, _ verdict: Verdict, _ source: String) {
        self.name = name
        self.verdict = verdict
        self.source = source
    }

    /// Applies when all of `wanted` and none of `unwanted` hold.
    func asks(
        _ question: @escaping @Sendable (Subject) -> String, when wanted: Facts = [], unless unwanted: Facts = []
    ) -> Self {
        var rule = self
        rule.question = question
        rule.wanted = wanted
        rule.unwanted = unwanted
        return rule
    }

    func asks(_ question: String, when wanted: Facts = [], unless unwanted: Facts = []) -> Self {
        asks({ _ in question }, when: wanted, unless: unwanted)
    }

    static func otherwise(_ name: String, _ verdict: Verdict, _ source: String) -> Self { Self(name, verdict, source) }

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
