public import DeviceModel

extension FaultRule {
    /// What the list of rules tells of a rule beside it; writing it back changes nothing.
    public static let readOnlyNames = ["matched", "fired", "setAt"]

    /// The rules that a JSON object stands for: one, or those of `{"scenario": "G1"}`.
    ///
    /// - Parameter path: Where the object stands, for messages.
    public static func rules(
        from json: JSONValue, at path: FieldPath = FieldPath()
    ) throws(FieldError) -> [FaultRule] {
        guard case .object(let members) = json, let scenario = members["scenario"] else {
            var rule = FaultRule()
            try rule.apply(json, besides: readOnlyNames + ["scenario"], at: path)
            return [rule]
        }
        if let other = members.keys.sorted().first(where: { $0 != "scenario" }) {
            throw FieldError(problems: [
                FieldProblem(path.member(other), "stands beside scenario", "accepted: scenario alone, or a rule")
            ])
        }
        guard case .string(let text) = scenario, let found = FaultScenario.named(text) else {
            let names = FaultScenario.names.joined(separator: ", ")
            throw FieldError(problems: [.wrong(scenario, at: path.member("scenario"), accepted: names)])
        }
        return found.rules
    }
}
