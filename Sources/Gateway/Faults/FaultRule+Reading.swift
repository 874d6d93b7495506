internal import DeviceModel
package import Fields
package import JSON

extension FaultRule {
    /// What the list of rules tells of a rule beside it; writing it back changes nothing.
    package static let readOnlyNames = ["matched", "fired", "setAt"]

    /// The rules that a JSON object stands for: one, or those of `{"scenario": "G1"}`, of which `match` and `count` change each.
    ///
    /// - Parameter path: Where the object stands, for messages.
    package static func rules(
        from json: JSONValue, at path: FieldPath = FieldPath()
    ) throws(FieldError) -> [FaultRule] {
        guard case .object(let members) = json, let scenario = members["scenario"] else {
            var rule = FaultRule()
            try rule.apply(json, besides: readOnlyNames + ["scenario"], at: path)
            return [rule]
        }
        let edits = members.filter { ["match", "count"].contains($0.key) }
        if let other = members.keys.sorted().first(where: { $0 != "scenario" && edits[$0] == nil }) {
            throw FieldError(problems: [
                FieldProblem(
                    path.member(other), "stands beside scenario", "accepted: scenario with match and count, or a rule")
            ])
        }
        guard case .string(let text) = scenario, let found = FaultScenario.named(text) else {
            let names = FaultScenario.names.joined(separator: ", ")
            throw FieldError(problems: [.wrong(scenario, at: path.member("scenario"), accepted: names)])
        }
        guard !edits.isEmpty else { return found.rules }
        return try found.rules.map { rule throws(FieldError) in
            var rule = rule
            try rule.apply(.object(edits), at: path)
            return rule
        }
    }
}
