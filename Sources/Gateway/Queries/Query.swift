package import JSON

/// A document's members by name; only those that conditions read are requested.
package typealias Document = (String) -> JSONValue?

/// Conditions that must all hold for a document, such as a notification as the API shows it.
package struct Query: Hashable, Sendable {
    package var conditions: [Condition]

    package init(_ conditions: [Condition] = []) { self.conditions = conditions }

    package static let maximumConditionCount = 32

    package var isEmpty: Bool { conditions.isEmpty }

    /// The members of a document that the conditions read.
    package var roots: Set<String> { Set(conditions.map(\.path.root)) }

    /// Of all regular expressions together.
    package var patternStepCount: Int {
        conditions.reduce(0) { if case .matches(let pattern) = $1.test { $0 + pattern.stepCount } else { $0 } }
    }

    package func matches(_ document: Document) -> Bool {
        conditions.allSatisfy { $0.matches($0.path.values(in: document)) }
    }

    /// The conditions that do not hold, with the document's values; empty for a match.
    package func mismatches(_ document: Document) -> [Mismatch] {
        conditions.compactMap { condition in
            let values = condition.path.values(in: document)
            return condition.matches(values) ? nil : Mismatch(condition, values)
        }
    }

    /// The text that every match has at a path, for a list that can look it up; nil when there is none.
    package func text(at path: String) -> String? {
        for condition in conditions where condition.path.text == path {
            if case .compares(.equals, let operand) = condition.test, case .string(let text) = operand.value {
                return text
            }
        }
        return nil
    }
}

/// A path and the test of its values.
package struct Condition: Hashable, Sendable {
    package let path: QueryPath
    package let test: Test

    package enum Test: Hashable, Sendable {
        case exists, absent
        case compares(Comparison, Operand)
        case oneOf([Operand])
        case matches(TextPattern)
    }

    package init(_ path: QueryPath, _ test: Test) {
        self.path = path
        self.test = test
    }

    /// - Parameter values: A document's values at the path; several if the path crosses an array.
    func matches(_ values: [JSONValue]) -> Bool {
        switch test {
        case .exists: !values.isEmpty
        case .absent: values.isEmpty
        case .compares(.differs, let operand): !values.contains { operand.equals($0) }
        case .compares(let comparison, let operand): values.contains { comparison.holds($0, operand) }
        case .oneOf(let operands): values.contains { value in operands.contains { $0.equals(value) } }
        case .matches(let pattern):
            values.contains { value in
                if case .string(let text) = value { pattern.matches(text) } else { false }
            }
        }
    }
}

/// The path of a condition: names and array indices, joined with dots. A name after an array means any of its
/// elements.
package struct QueryPath: Hashable, Sendable {
    package let names: [String]

    package static let maximumDepth = 16

    package init(_ names: [String]) {
        precondition(!names.isEmpty, "a path has a name")
        self.names = names
    }

    package var root: String { names[0] }

    /// A member whose value is a list of texts; a condition on it holds for any of them.
    package static let anyText = "text"
    /// A member whose members are headers.
    package static let headers = "headers"

    package var text: String {
        let written = names.map { name in
            name.isEmpty || name.contains(where: Self.delimiters.contains) ? "\"\(name)\"" : name
        }
        return written.joined(separator: ".")
    }

    /// Characters that end an unquoted name.
    static let delimiters: Set<Character> = ["=", "!", "<", ">", "~", ".", "\"", " "]

    func values(in document: Document) -> [JSONValue] {
        guard let first = document(root), first != .null else { return [] }
        var found = [first.parsed]
        if root == Self.anyText, case .array(let texts) = first { found = texts }
        return names.dropFirst().reduce(found) { values, name in
            values.flatMap { Self.members(of: $0, name) }
        }
    }

    private static func members(of value: JSONValue, _ name: String) -> [JSONValue] {
        switch value {
        case .object(let members): members[name].map { $0 == .null ? [] : [$0.parsed] } ?? []
        case .array(let elements):
            if let index = Int(name) {
                elements.indices.contains(index) ? [elements[index].parsed] : []
            } else {
                elements.flatMap { members(of: $0, name) }
            }
        default: []
        }
    }
}

extension JSONValue {
    /// Parsed into a tree if it is verbatim JSON.
    var parsed: JSONValue {
        if case .verbatim(let bytes) = self { JSONValue(bytes.span.bytes) ?? .null } else { self }
    }
}

extension JSONValue {
    /// An object of headers; a repeated one has its values joined with commas.
    package static func headersByName(_ fields: [(name: String, value: String)]) -> JSONValue {
        var members: JSONObject = [:]
        for (name, value) in fields {
            if case .string(let former) = members[name] {
                members[name] = .string("\(former), \(value)")
            } else {
                members[name] = .string(value)
            }
        }
        return .object(members)
    }
}
