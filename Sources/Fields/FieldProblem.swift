package import JSON

/// What is wrong with a member of a JSON document, where, and what would be right.
package struct FieldProblem: Sendable, Hashable, CustomStringConvertible {
    /// Where it stands.
    package var path: FieldPath
    /// What was given, to be read after the place: `is "loud"`.
    package var found: String
    /// What would be right: `accepted: ring or silent`.
    package var remedy: String
    /// Whether there is no member of this name.
    package var isUnknownName = false

    package init(_ path: FieldPath, _ found: String, _ remedy: String) {
        self.path = path
        self.found = found
        self.remedy = remedy
    }

    /// What is to be read after the place.
    package var message: String { "\(found); \(remedy)" }

    /// Place and message.
    package var description: String { path.parts.isEmpty ? message : "\(path) \(message)" }

    /// A member that there is not.
    package static func unknown(_ name: String, at path: FieldPath, known: [String]) -> Self {
        let remedy =
            NearestName.of(name, among: known).map { "did you mean \($0)?" }
            ?? "known are \(known.joined(separator: ", "))"
        var problem = Self(path.member(String(name.prefix(60))), "is unknown", remedy)
        problem.isUnknownName = true
        return problem
    }

    /// A value that cannot be read.
    package static func wrong(_ json: JSONValue, at path: FieldPath, accepted: String) -> Self {
        Self(path, "is \(json.words)", "accepted: \(accepted)")
    }
}

/// Why a JSON document changed nothing: every problem found, in the order of the table.
package struct FieldError: Error, Hashable, CustomStringConvertible {
    /// At least one.
    package var problems: [FieldProblem]

    package init(problems: [FieldProblem]) { self.problems = problems }

    /// One line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension JSONValue {
    /// The value in a message: what it is, or what kind of thing.
    package var words: String {
        switch self {
        case .null: "null"
        case .bool(let value): String(value)
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .string(let text): "\"\(text.prefix(60))\""
        case .array: "a list"
        case .object: "an object"
        }
    }
}
