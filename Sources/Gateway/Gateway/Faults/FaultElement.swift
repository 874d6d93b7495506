package import Fields
package import JSON

/// A rule, or the rules of a scenario, as somebody sets them.
package struct FaultElement: Sendable, Hashable {
    package var rules: [FaultRule]
    package var isScenario = false

    /// A rule with its own name.
    package init(_ rule: FaultRule) { rules = [rule] }

    package init(_ json: JSONValue, at path: FieldPath = FieldPath()) throws(FieldError) {
        rules = try FaultRule.rules(from: json, at: path)
        isScenario = MemberReader(json).has("scenario")
    }

    /// The rules with names that no other rule has.
    ///
    /// A scenario with the match of an earlier one replaces it; with another match it is another instance, `outage@2`.
    ///
    /// - Parameter number: Counts the rules without a name.
    func named(besides others: [FaultRule], number: inout Int) -> [FaultRule] {
        if isScenario { return instance(besides: others) }
        return rules.map { rule in
            guard rule.name.isEmpty else { return rule }
            var named = rule
            repeat {
                number += 1
                named.name = "fault-\(number)"
            } while others.contains { $0.name == named.name }
            return named
        }
    }

    /// As `named`; a rule without a name has that of its place in a file.
    package func named(besides others: [FaultRule], place: String) -> [FaultRule] {
        if isScenario { return instance(besides: others) }
        return rules.map { rule in
            var rule = rule
            if rule.name.isEmpty { rule.name = place }
            return rule
        }
    }

    private func instance(besides others: [FaultRule]) -> [FaultRule] {
        var number = 1
        while true {
            let named = rules.map { rule in
                var rule = rule
                if number > 1 { rule.name += "@\(number)" }
                return rule
            }
            let isTaken = others.contains { other in
                named.contains { $0.name == other.name && $0.match != other.match }
            }
            if !isTaken { return named }
            number += 1
        }
    }
}
