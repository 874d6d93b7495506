package import JSON

/// An object's members, read one by one where no table describes them.
///
/// Problems are collected, so that `finish()` reports all of them at once; readers of inner objects share the list.
package struct MemberReader {
    package let members: JSONObject
    package let path: FieldPath
    /// Whether `null` is a mistake; if not, it counts as absent.
    private let refusesNull: Bool
    private let isObject: Bool
    private let found: ProblemList

    /// - Parameters:
    ///   - names: The members that are known; nil ignores others.
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
        for name in members.keys.sorted() where !names.contains(name) {
            found.problems.append(.unknown(name, at: path, known: names))
        }
    }

    /// Whether a member is there.
    package func has(_ name: String) -> Bool { self[name] != nil }

    /// A member; nil when it is absent, or `null` where that is no mistake.
    package subscript(_ name: String) -> JSONValue? { members[name] == .null && !refusesNull ? nil : members[name] }

    /// A member's value; nil when it is absent or wrong.
    package func value<Value>(_ name: String, _ format: FieldFormat<Value>) -> Value? {
        self[name].flatMap { format.read($0, nil, path.member(name), &found.problems) }
    }

    /// The value of a member that must be there; nil when it is wrong.
    package func required<Value>(_ name: String, _ format: FieldFormat<Value>) -> Value? {
        if isObject, !has(name) { found.problems.append(.missing(name, at: path, accepted: format.accepted)) }
        return value(name, format)
    }

    /// A member's text; nil when it is absent, wrong or empty.
    package func text(_ name: String) -> String? { value(name, .text).flatMap { $0.isEmpty ? nil : $0 } }

    /// A member that is an object.
    package func object(_ name: String, accepting names: [String]? = nil) -> MemberReader? {
        self[name].flatMap { json in
            let count = found.problems.count
            let reader = inner(json, at: path.member(name), names)
            return found.problems.count == count ? reader : nil
        }
    }

    /// A member that is a list of objects; empty when it is absent or wrong.
    package func objects(_ name: String, accepting names: [String]? = nil) -> [MemberReader] {
        guard let json = self[name] else { return [] }
        guard case .array(let elements) = json else {
            found.problems.append(.wrong(json, at: path.member(name), accepted: "a list of objects"))
            return []
        }
        return elements.enumerated().map { inner($0.element, at: path.member(name).element($0.offset), names) }
    }

    private func inner(_ json: JSONValue, at path: FieldPath, _ names: [String]?) -> MemberReader {
        MemberReader(json, at: path, accepting: names, refusesNull: refusesNull, found)
    }

    /// Adds something that is wrong.
    package func report(_ problems: [FieldProblem]) { found.problems += problems }

    /// Everything that is wrong; nil when nothing is.
    package var error: FieldError? { found.problems.isEmpty ? nil : FieldError(problems: found.problems) }

    /// - Throws: Everything that is wrong.
    package func finish() throws(FieldError) {
        if let error { throw error }
    }
}

/// Shared by the readers of one document.
private final class ProblemList {
    var problems: [FieldProblem] = []
}
