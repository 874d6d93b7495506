internal import Fields
internal import JSON

/// A named set of rules that makes the gateway fail as APNs did.
package struct FaultScenario: Sendable, Hashable {
    /// The number in `docs/faults.md`, such as `G1`; several scenarios may share one, and some have none.
    package var id: String?
    /// Also the name of its first rule; the others are numbered from 2.
    package var name: String
    package var summary: String
    package var rules: [FaultRule]

    /// - Parameter rules: As in `POST /faults`, without names.
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

    /// A scenario by its name, or by its number in upper or lower case; scenarios that share a number take turns.
    package static func named(_ text: String) -> FaultScenario? {
        if let found = all.first(where: { $0.name == text }) { return found }
        let sharing = all.filter { $0.id == text.uppercased() }
        guard var first = sharing.first, sharing.count > 1 else { return sharing.first }
        // The first matching rule fires, so the rules that match at times precede the one that always does.
        let others = sharing.dropFirst().flatMap(\.rules).map { rule in
            var rule = rule
            rule.match.every = sharing.count
            return rule
        }
        first.rules = others + first.rules
        return first
    }

    /// Every text that `named` accepts.
    package static var names: [String] {
        all.reduce(into: []) { names, scenario in
            for name in [scenario.id, scenario.name].compactMap(\.self) where !names.contains(name) {
                names.append(name)
            }
        }
    }
}
