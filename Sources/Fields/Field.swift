package import JSON

/// One member of a JSON object: the only source of its reading, writing, messages and descriptions.
package struct Field<Root: Sendable>: Sendable {
    package let description: FieldDescription
    package let read: @Sendable (JSONValue, inout Root, FieldPath, inout [FieldProblem]) -> Void
    /// nil omits the member.
    package let write: @Sendable (Root) -> JSONValue?

    package var name: String { description.name }

    /// The same member, seen from a value that contains this one.
    package func inside<Outer>(_ path: any WritableKeyPath<Outer, Root> & Sendable) -> Field<Outer> {
        Field<Outer>(description: description) { json, outer, place, problems in
            read(json, &outer[keyPath: path], place, &problems)
        } write: {
            write($0[keyPath: path])
        }
    }
}

extension Field {
    /// - Parameters:
    ///   - name: The Swift property's, except that an abbreviation counts as a word: `bundleId`.
    ///   - summary: One sentence.
    ///   - untouched: The value whose member `null` restores.
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

/// A rule on an object whose members were all read.
package struct FieldCheck<Root: Sendable>: Sendable {
    /// Paths start at the object.
    package let problems: @Sendable (Root) -> [FieldProblem]
    /// A member that the rule always requires.
    let requiredMember: String?

    package init(requires member: String? = nil, _ problems: @escaping @Sendable (Root) -> [FieldProblem]) {
        self.problems = problems
        requiredMember = member
    }

    /// One problem with a fixed message, at a member of members, when a condition holds.
    package init(
        at names: String..., found: String, remedy: String, if isWrong: @escaping @Sendable (Root) -> Bool
    ) {
        let problem = FieldProblem(FieldPath(names.map { .member($0) }), found, remedy)
        self.init { isWrong($0) ? [problem] : [] }
    }

    package static func filled(_ name: String, _ path: any KeyPath<Root, String> & Sendable) -> Self {
        Self(requires: name) { root in
            guard root[keyPath: path].isEmpty else { return [] }
            return [FieldProblem(FieldPath().member(name), "is missing", "accepted: a text that is not empty")]
        }
    }

    /// A list of elements with different identifiers.
    package static func unique<Element>(
        _ list: String, _ path: any KeyPath<Root, [Element]> & Sendable, by name: String,
        _ identifier: any KeyPath<Element, String> & Sendable
    ) -> Self {
        Self { root in
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
