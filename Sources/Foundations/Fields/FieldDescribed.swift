package import JSON

/// A value whose JSON form is a table of its members.
package protocol FieldDescribed: Sendable, Codable {
    /// In writing order.
    static var fields: [Field<Self>] { get }
    /// Run in order after all members are read and the required ones are there.
    static var checks: [FieldCheck<Self>] { get }
    init()
    /// The value whose members `null` restores.
    var untouched: Self { get }
}

extension FieldDescribed {
    package static var checks: [FieldCheck<Self>] { [] }

    package var untouched: Self { Self() }

    package static var fieldNames: [String] { fields.map(\.name) }

    package static var schema: FieldSchema { .object("\(Self.self)".filter(\.isLetter), descriptions) }

    package static var descriptions: [FieldDescription] {
        let required = checks.compactMap(\.requiredMember)
        return fields.map { field in
            var description = field.description
            description.isRequired = description.isRequired || required.contains(field.name)
            return description
        }
    }

    /// Changes only the members present, except `others`: objects merge, lists are replaced, `null` restores a default.
    /// Throws all problems; then the value is unchanged.
    package mutating func apply(
        _ json: JSONValue, besides others: [String] = [], at path: FieldPath = FieldPath()
    ) throws(FieldError) {
        var changed = self
        var problems: [FieldProblem] = []
        guard changed.read(json, besides: others, at: path, &problems) else { throw FieldError(problems: problems) }
        self = changed
    }

    /// A new value with the members present, except `others`.
    package init(json: JSONValue, besides others: [String] = [], at path: FieldPath = FieldPath()) throws(FieldError) {
        self.init()
        try apply(json, besides: others, at: path)
    }

    package var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = []
        for field in Self.fields { if let value = field.write(self) { members.append((field.name, value)) } }
        return .object(JSONObject(unique: members))
    }

    /// False when there are problems; the value may then be partly changed.
    package mutating func read(
        _ json: JSONValue, besides others: [String] = [], at path: FieldPath, _ problems: inout [FieldProblem]
    ) -> Bool {
        guard case .object(let members) = json else {
            let known = Self.fieldNames + others
            problems.append(.wrong(json, at: path, accepted: "an object with \(known.joined(separator: ", "))"))
            return false
        }
        let count = problems.count
        var foundCount = 0
        for field in Self.fields {
            guard let value = members[field.name] else { continue }
            foundCount += 1
            field.read(value, &self, path, &problems)
        }
        if foundCount < members.count {
            let known = Self.fieldNames + others
            problems += FieldProblem.unknown(members.keys.filter { !known.contains($0) }, at: path, known: known)
        }
        guard problems.count == count else { return false }
        for field in Self.fields where field.isMissing(in: self) {
            problems.append(.missing(field.name, at: path, accepted: field.description.accepted))
        }
        for check in Self.checks {
            for var problem in check.problems(self) {
                problem.path.parts.insert(contentsOf: path.parts, at: 0)
                problems.append(problem)
            }
        }
        return problems.count == count
    }

    package init(from decoder: any Decoder) throws {
        let json = try JSONValue(from: decoder)
        self = Self()
        do throws(FieldError) {
            try apply(json)
        } catch {
            let problem = error.problems[0]
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath + problem.path.parts, debugDescription: "it \(problem.message)"))
        }
    }

    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

    package func differences(from other: Self) -> [String] {
        Self.fields.filter { $0.write(self) != $0.write(other) }.map(\.name)
    }
}
