package import JSON

/// Reads the members of an object without a table. Nested readers share the problems, which `finish()` throws together.
package struct MemberReader {
    package let members: JSONObject
    package let path: FieldPath
    /// Otherwise `null` means absent.
    private let refusesNull: Bool
    private let isObject: Bool
    private let found: ProblemList

    /// nil `names` allows any member.
    package init(
        _ json: JSONValue, at path: FieldPath = FieldPath(), accepting names: [String]? = nil, refusesNull: Bool = false
    ) {
        self.init(json, at: path, accepting: names, refusesNull: refusesNull, ProblemList())
    }

    private init(
        _ json: JSONValue, at path: FieldPath, accepting names: [String]?, refusesNull: Bool, _ found: ProblemList
    ) {
        self.path = path
        self.refusesNull = refusesNull
        self.found = found
        guard case .object(let members) = json else {
            let known = names.map { " with \($0.joined(separator: ", "))" } ?? ""
            found.problems.append(.wrong(json, at: path, accepted: "an object" + known))
            self.members = [:]
            isObject = false
            return
        }
        isObject = true
        self.members = members
        guard let names else { return }
        found.problems += FieldProblem.unknown(members.keys.filter { !names.contains($0) }, at: path, known: names)
    }

    package func has(_ name: String) -> Bool { self[name] != nil }

    /// nil when the member is absent, or `null` where that means absent.
    package subscript(_ name: String) -> JSONValue? { members[name] == .null && !refusesNull ? nil : members[name] }

    package func value<Value>(_ name: String, _ format: FieldFormat<Value>) -> Value? {
        self[name].flatMap { format.read($0, nil, path.member(name), &found.problems) }
    }

    /// Adds a problem when the member is missing or wrong.
    package func required<Value>(_ name: String, _ format: FieldFormat<Value>) -> Value? {
        if isObject, !has(name) { found.problems.append(.missing(name, at: path, accepted: format.accepted)) }
        return value(name, format)
    }

    /// nil also for an empty text.
    package func text(_ name: String) -> String? { value(name, .text)?.ifAny }

    package func object(_ name: String) -> MemberReader? {
        self[name].flatMap { json in
            let count = found.problems.count
            let reader = inner(json, at: path.member(name))
            return found.problems.count == count ? reader : nil
        }
    }

    /// Empty when the member is absent or wrong.
    package func objects(_ name: String) -> [MemberReader] {
        guard let json = self[name] else { return [] }
        guard case .array(let elements) = json else {
            found.problems.append(.wrong(json, at: path.member(name), accepted: "a list of objects"))
            return []
        }
        return elements.enumerated().map { inner($0.element, at: path.member(name).element($0.offset)) }
    }

    private func inner(_ json: JSONValue, at path: FieldPath) -> MemberReader {
        MemberReader(json, at: path, accepting: nil, refusesNull: refusesNull, found)
    }

    package func report(_ problems: [FieldProblem]) { found.problems += problems }

    package var error: FieldError? { found.problems.isEmpty ? nil : FieldError(problems: found.problems) }

    package func finish() throws(FieldError) {
        if let error { throw error }
    }
}

private final class ProblemList {
    var problems: [FieldProblem] = []
}
