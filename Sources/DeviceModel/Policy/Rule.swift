/// A row of a table: when it applies, what it says then, and where that comes from.
struct Rule<Verdict: Sendable>: Sendable {
    /// The stable name, such as `F6` or `settings.lockScreen`.
    let name: String
    /// Where the rule comes from.
    let source: String
    let verdict: Verdict
    /// The question in words, with the values it is about; asked for only when a trace is written.
    let asks: @Sendable (Subject) -> String
    private let wanted: Facts
    private let unwanted: Facts

    /// A row that applies when all of `wanted` is true and none of `unwanted`.
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

    /// A row whose question is always the same.
    init(
        _ name: String, _ verdict: Verdict, _ source: String, asks question: String, when wanted: Facts = [],
        unless unwanted: Facts = []
    ) {
        self.init(name, verdict, source, asks: { _ in question }, when: wanted, unless: unwanted)
    }

    /// The last row of a table: what holds when no other row applies.
    static func otherwise(_ name: String, _ verdict: Verdict, _ source: String) -> Self {
        Self(name, verdict, source, asks: "otherwise")
    }

    /// Whether the row applies.
    func applies(to situation: Situation) -> Bool { situation.facts.match(wanted, without: unwanted) }
}
