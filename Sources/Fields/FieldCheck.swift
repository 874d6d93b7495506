internal import JSON

/// What must hold between the members of an object, each of which could be read.
package struct FieldCheck<Root: Sendable>: Sendable {
    /// A stable name, such as `focus.active`.
    package let rule: String
    /// What is wrong, with places as seen from the object.
    package let problems: @Sendable (Root) -> [FieldProblem]
    /// A member that it demands, whatever the others are.
    let requiredMember: String?

    package init(
        _ rule: String, requires member: String? = nil, _ problems: @escaping @Sendable (Root) -> [FieldProblem]
    ) {
        self.rule = rule
        self.problems = problems
        requiredMember = member
    }

    /// A text that must be there.
    package static func filled(_ rule: String, _ name: String, _ path: any KeyPath<Root, String> & Sendable) -> Self {
        Self(rule, requires: name) { root in
            guard root[keyPath: path].isEmpty else { return [] }
            return [FieldProblem(FieldPath().member(name), "is missing", "accepted: a text that is not empty")]
        }
    }

    /// A list in which no identifier may stand twice.
    package static func unique<Element>(
        _ rule: String, _ list: String, _ path: any KeyPath<Root, [Element]> & Sendable, by name: String,
        _ identifier: any KeyPath<Element, String> & Sendable
    ) -> Self {
        Self(rule) { root in
            var places: [String: FieldPath] = [:]
            var problems: [FieldProblem] = []
            for (index, element) in root[keyPath: path].enumerated() {
                let text = element[keyPath: identifier]
                let place = FieldPath().member(list).element(index).member(name)
                if let first = places[text] {
                    problems.append(
                        FieldProblem(place, "is \(JSONValue.string(text).words)", "\(first) is the same already"))
                } else {
                    places[text] = place
                }
            }
            return problems
        }
    }
}
