internal import Fields
internal import JSON

/// A named set of rules that reproduces a failure of APNs.
package struct FaultScenario: Sendable, Hashable {
    /// The number in `docs/faults.md`, such as `G1`; scenarios may share one or have none.
    package var id: String?
    /// Also the name of the first rule; later rules append `-2`, `-3` and so on.
    package var name: String
    package var summary: String
    package var rules: [FaultRule]

    /// - Parameter rules: JSON as in `POST /faults`, without names.
    init(_ id: String?, _ name: String, _ summary: String, _ rules: String...) {
        self.id = id
        self.name = name
        self.summary = summary
        self.rules = rules.enumerated().map { index, text in
            var rule = FaultRule()
            rule.name = index == 0 ? name : "\(name)-\(index + 1)"
            guard let json = JSONValue(Array(text.utf8).span.bytes), (try? rule.apply(json)) != nil else {
                preconditionFailure("not a fault rule: \(text)")
            }
            return rule
        }
    }

    /// A rule that replaces the gateway's answer.
    static func answering(_ status: Int, _ reason: String, match: String = "{}") -> String {
        #"{"match": \#(match), "effect": {"answer": {"status": \#(status), "reason": "\#(reason)"}}}"#
    }

    /// Finds a scenario by name, or by number in any case; scenarios that share a number alternate.
    package static func named(_ text: String) -> FaultScenario? {
        if let found = all.first(where: { $0.name == text }) { return found }
        let sharing = all.filter { $0.id == text.uppercased() }
        guard var first = sharing.first, sharing.count > 1 else { return sharing.first }
        // The first matching rule fires, so rules with `every` precede the one that always matches.
        let others = sharing.dropFirst().flatMap(\.rules).map { rule in
            var rule = rule
            rule.match.every = sharing.count
            return rule
        }
        first.rules = others + first.rules
        return first
    }

    package static var names: [String] {
        all.reduce(into: []) { names, scenario in
            for name in [scenario.id, scenario.name].compactMap(\.self) where !names.contains(name) {
                names.append(name)
            }
        }
    }
}
