package import JSON

/// One member of a JSON object; the single source of its reading, writing, messages and documentation.
package struct Field<Root: Sendable>: Sendable {
    package private(set) var description: FieldDescription
    package let read: @Sendable (JSONValue, inout Root, FieldPath, inout [FieldProblem]) -> Void
    /// nil omits the member.
    package let write: @Sendable (Root) -> JSONValue?

    package var name: String { description.name }

    package func inside<Outer>(_ path: any WritableKeyPath<Outer, Root> & Sendable) -> Field<Outer> {
        Field<Outer>(description: description) { json, outer, place, problems in
            read(json, &outer[keyPath: path], place, &problems)
        } write: {
            write($0[keyPath: path])
        }
    }
}

extension Field {
    /// A second name of a member: accepted, never written.
    package var readOnly: Self { Self(description: description, read: read, write: { _ in nil }) }

    /// A member that an object must have, and that is not an empty text.
    package var required: Self {
        var field = self
        field.description.isRequired = true
        return field
    }

    func isMissing(in root: Root) -> Bool {
        guard description.isRequired else { return false }
        let json = write(root)
        return json == nil || json == .string("")
    }

    /// `name` is the Swift property's, with abbreviations as words: `bundleId`. `null` restores `untouched`'s member.
    package init<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ format: FieldFormat<Value>,
        _ summary: String, untouched: @escaping @Sendable (Root) -> Root
    ) {
        description = FieldDescription(
            name: name, accepted: format.accepted, summary: summary, schema: format.schema,
            isOptional: format.isOptional)
        read = { json, root, place, problems in
            if json == .null {
                root[keyPath: path] = untouched(root)[keyPath: path]
            } else if let value = format.read(json, root[keyPath: path], place.member(name), &problems) {
                root[keyPath: path] = value
            }
        }
        write = { format.write($0[keyPath: path]) }
    }
}

extension Field where Root: FieldDescribed {
    package init<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ format: FieldFormat<Value>,
        _ summary: String
    ) {
        self.init(name, path, format, summary, untouched: \.untouched)
    }
}

/// A rule for an object after all its members are read.
package struct FieldCheck<Root: Sendable>: Sendable {
    /// Paths are relative to the object.
    package let problems: @Sendable (Root) -> [FieldProblem]
    let requiredMember: String?

    package init(requires member: String? = nil, _ problems: @escaping @Sendable (Root) -> [FieldProblem]) {
        self.problems = problems
        requiredMember = member
    }

    /// A fixed message at a nested member when a condition holds.
    /// - Parameter isRequired: Whether the condition holds if the member is missing.
    package init(
        at names: String..., found: String, remedy: String, isRequired: Bool = false,
        if isWrong: @escaping @Sendable (Root) -> Bool
    ) {
        let problem = FieldProblem(FieldPath(names.map { .member($0) }), found, remedy)
        self.init(requires: isRequired ? names.first : nil) { isWrong($0) ? [problem] : [] }
    }

    /// Requires unique identifiers in a list; `name` is their member, nil if the elements are texts.
    package static func unique<Element>(
        _ list: String, _ path: any KeyPath<Root, [Element]> & Sendable, by name: String? = nil,
        _ identifier: any KeyPath<Element, String> & Sendable
    ) -> Self {
        Self { root in
            var places: [String: FieldPath] = [:]
            var problems: [FieldProblem] = []
            for (index, element) in root[keyPath: path].enumerated() {
                let text = element[keyPath: identifier]
                let row = FieldPath().member(list).element(index)
                let place = name.map { row.member($0) } ?? row
                if let first = places[text] {
                    problems.append(FieldProblem(place, "is \(JSONValue.string(text).words)", "duplicate of \(first)"))
                } else {
                    places[text] = place
                }
            }
            return problems
        }
    }
}
