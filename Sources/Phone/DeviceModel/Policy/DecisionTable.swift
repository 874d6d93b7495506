/// A table's answer, in the words of the trace.
package protocol PolicyAnswer: RawRepresentable<String>, Sendable, CustomStringConvertible {}

extension PolicyAnswer {
    package var description: String { rawValue }
}

extension Timing: PolicyAnswer {}
extension InterruptionLevel: PolicyAnswer {}

/// What a table decides from: facts, and what the questions of a trace may mention.
package protocol Decidable {
    associatedtype Fact: RawRepresentable<UInt8>
    /// What a trace needs besides the facts.
    associatedtype Inputs = Void
    associatedtype Subject = Self
    var facts: FactSet<Fact> { get }
    func subject(_ inputs: Inputs) -> Subject
}

extension Decidable where Subject == Self {
    package func subject(_ inputs: Inputs) -> Self { self }
}

/// Rows tried in order; the first that applies answers. A trace records every row tried; without a trace, a decision
/// allocates nothing.
package struct DecisionTable<Case: Decidable, Answer: Sendable & CustomStringConvertible>: Sendable {
    package let stage: String
    package let rows: [Rule<Case, Answer>]

    package init(stage: String, rows: [Rule<Case, Answer>]) {
        self.stage = stage
        self.rows = rows
    }

    /// - Returns: nil when no row applies; a table that must answer ends with `otherwise`.
    @inlinable
    package func decide(_ situation: borrowing Case, _ trace: Trace<Case.Inputs>?) -> Answer? {
        for index in rows.indices {
            let applies = rows[index].applies(to: situation)
            if let trace {
                trace.add(stage, rows[index], applies ? rows[index].verdict.description : nil, situation)
            }
            if applies { return rows[index].verdict }
        }
        return nil
    }
}

/// A row of a table: its condition, its answer and their source.
package struct Rule<Case: Decidable, Verdict: Sendable>: Sendable {
    /// Stable, such as `F6` or `settings.lockScreen`.
    package let name: String
    package let verdict: Verdict
    package let source: String
    /// The question with its values; only a trace calls it.
    private(set) var question: @Sendable (Case.Subject) -> String = { _ in "otherwise" }
    @usableFromInline private(set) var wanted: FactSet<Case.Fact> = []
    @usableFromInline private(set) var unwanted: FactSet<Case.Fact> = []

    package init(_ name: String, _ verdict: Verdict, _ source: String) {
        self.name = name
        self.verdict = verdict
        self.source = source
    }

    /// Applies when all of `wanted` and none of `unwanted` hold.
    package func asks(
        _ question: @escaping @Sendable (Case.Subject) -> String, when wanted: FactSet<Case.Fact> = [],
        unless unwanted: FactSet<Case.Fact> = []
    ) -> Self {
        var rule = self
        rule.question = question
        rule.wanted = wanted
        rule.unwanted = unwanted
        return rule
    }

    package func asks(
        _ question: String, when wanted: FactSet<Case.Fact> = [], unless unwanted: FactSet<Case.Fact> = []
    ) -> Self {
        asks({ _ in question }, when: wanted, unless: unwanted)
    }

    package static func otherwise(_ name: String, _ verdict: Verdict, _ source: String) -> Self {
        Self(name, verdict, source)
    }

    @inlinable
    package func applies(to situation: borrowing Case) -> Bool {
        situation.facts.match(wanted, without: unwanted)
    }
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
    let rows: [Rule<Situation, Change>]

    func apply(to situation: inout Situation, _ trace: Trace<InterruptionInputs>?) {
        for index in rows.indices where rows[index].applies(to: situation) {
            let before = situation.outcome.presentation
            let after = rows[index].verdict(before)
            guard after != before else { continue }
            if let trace {
                let lost = before.subtracting(after)
                let answer = lost.isEmpty ? after.subtracting(before).description : "not \(lost)"
                trace.add(stage, rows[index], answer, situation)
            }
            situation.outcome.presentation = after
        }
    }
}

/// Facts that hold, one bit each: 128 fit.
package struct FactSet<Fact: RawRepresentable<UInt8>>: Sendable, Hashable, ExpressibleByArrayLiteral {
    @usableFromInline package var bits: UInt128 = 0

    @inlinable
    package init(arrayLiteral facts: Fact...) {
        self.init()
        for fact in facts { insert(fact) }
    }

    @usableFromInline package init(bits: UInt128 = 0) { self.bits = bits }

    @inlinable @inline(__always)
    package mutating func insert(_ fact: Fact, if isTrue: Bool = true) {
        bits |= UInt128(truncatingIfNeeded: isTrue ? 1 : 0) << UInt128(truncatingIfNeeded: fact.rawValue)
    }

    @inlinable @inline(__always)
    package func contains(_ fact: Fact) -> Bool { bits & (1 << UInt128(truncatingIfNeeded: fact.rawValue)) != 0 }

    @inlinable @inline(__always)
    package func match(_ wanted: Self, without unwanted: Self) -> Bool {
        bits & (wanted.bits | unwanted.bits) == wanted.bits
    }

    package mutating func formUnion(_ other: Self) { bits |= other.bits }

    /// This set, with `facts` as they are in another set.
    package func replacing(_ facts: Self, by other: Self) -> Self {
        Self(bits: bits & ~facts.bits | other.bits & facts.bits)
    }
}

/// Two numbers of 64 bits: JSON numbers are no larger.
extension FactSet: Codable {
    package init(from decoder: any Decoder) throws {
        let words = try [UInt64](from: decoder)
        self.init(bits: words.reversed().reduce(0) { $0 << 64 | UInt128($1) })
    }

    package func encode(to encoder: any Encoder) throws {
        try [UInt64(truncatingIfNeeded: bits), UInt64(truncatingIfNeeded: bits >> 64)].encode(to: encoder)
    }
}

/// Facts alone are enough for questions without values.
extension FactSet: Decidable {
    package var facts: Self { self }
}
