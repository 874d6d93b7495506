internal import APNs

/// A set of rules that makes the gateway go wrong as APNs did, under a name.
package struct FaultScenario: Sendable, Hashable {
    /// What `docs/faults.md` counts it as, such as `G1`; several may share one, and some have none.
    package var id: String?
    /// A telling name; its rules are called by it, too.
    package var name: String
    package var summary: String
    package var rules: [FaultRule]

    /// - Parameter rules: Get the scenario's name, and a number from the second one on.
    init(_ id: String?, _ name: String, _ summary: String, _ rules: [FaultRule]) {
        self.id = id
        self.name = name
        self.summary = summary
        self.rules = rules.enumerated().map { index, rule in
            var rule = rule
            rule.name = index == 0 ? name : "\(name)-\(index + 1)"
            return rule
        }
    }

    /// A scenario by its name, or what goes by an identifier in upper or lower case: those that share one take turns.
    package static func named(_ text: String) -> FaultScenario? {
        if let found = all.first(where: { $0.name == text }) { return found }
        let sharing = all.filter { $0.id == text.uppercased() }
        guard var first = sharing.first, sharing.count > 1 else { return sharing.first }
        // The first that fits fires, so those that fit at times stand before the one that always does.
        let others = sharing.dropFirst().flatMap(\.rules).map { rule in
            var rule = rule
            rule.match.every = sharing.count
            return rule
        }
        first.rules = others + first.rules
        return first
    }

    /// Every word that `named` understands.
    package static var names: [String] {
        all.reduce(into: []) { names, scenario in
            for name in [scenario.id, scenario.name].compactMap(\.self) where !names.contains(name) {
                names.append(name)
            }
        }
    }

    /// All of them, in the order of `docs/faults.md`.
    package static let all = (connections + limits + answers + weather + endings).sorted { $0.number < $1.number }

    /// The number in its identifier; those without one come last.
    private var number: Int { id.flatMap { Int($0.dropFirst()) } ?? .max }
}

extension FaultRule {
    /// A rule of a scenario, which names it.
    static func rule(
        on stage: Stage = .request, count: Int? = nil, lasting: Duration? = nil,
        when match: (inout FaultMatch) -> Void = { _ in }, then effect: (inout FaultEffect) -> Void
    ) -> FaultRule {
        FaultRule("", on: stage, match: FaultMatch(match), effect: FaultEffect(effect), count: count, lasting: lasting)
    }
}
