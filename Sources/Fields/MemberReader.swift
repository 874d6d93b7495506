package import JSON

/// An object's members, read one by one where no table describes them; members that nobody asks for are ignored.
///
/// What is wrong is collected, so that a person hears of everything at once.
package struct MemberReader {
    package let members: [String: JSONValue]
    package let path: FieldPath

    /// - Returns: nil, and a problem, when it is no object.
    package init?(_ json: JSONValue, at path: FieldPath = FieldPath(), _ problems: inout [FieldProblem]) {
        guard case .object(let members) = json else {
            problems.append(.wrong(json, at: path, accepted: "an object"))
            return nil
        }
        self.members = members
        self.path = path
    }

    /// A member; nil for one of `null`.
    package subscript(_ name: String) -> JSONValue? { members[name] == .null ? nil : members[name] }

    /// A member's value; nil when it is absent, `null` or wrong.
    package func value<Value>(_ name: String, _ format: FieldFormat<Value>, _ problems: inout [FieldProblem]) -> Value?
    {
        self[name].flatMap { format.read($0, nil, path.member(name), &problems) }
    }

    /// A member's text; nil when it is absent, `null`, wrong or empty.
    package func text(_ name: String, _ problems: inout [FieldProblem]) -> String? {
        value(name, .text, &problems).flatMap { $0.isEmpty ? nil : $0 }
    }

    package func object(_ name: String, _ problems: inout [FieldProblem]) -> MemberReader? {
        self[name].flatMap { MemberReader($0, at: path.member(name), &problems) }
    }

    /// A member that is a list of objects; empty when it is absent, `null` or wrong.
    package func objects(_ name: String, _ problems: inout [FieldProblem]) -> [MemberReader] {
        guard let json = self[name] else { return [] }
        guard case .array(let elements) = json else {
            problems.append(.wrong(json, at: path.member(name), accepted: "a list of objects"))
            return []
        }
        return elements.enumerated().compactMap {
            MemberReader($0.element, at: path.member(name).element($0.offset), &problems)
        }
    }
}
