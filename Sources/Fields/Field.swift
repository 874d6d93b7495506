package import JSON

/// One member of a JSON object: how it is called, read, written and explained.
///
/// Reading, writing, messages and descriptions come from these rows only, so that none of them can forget a member.
package struct Field<Root: Sendable>: Sendable {
    /// Name, accepted values, sentence and kind.
    package let description: FieldDescription
    /// Puts a value in its place, or says why not.
    package let read: @Sendable (JSONValue, inout Root, FieldPath, inout [FieldProblem]) -> Void
    /// nil leaves the member out.
    package let write: @Sendable (Root) -> JSONValue?

    /// The member's name in JSON.
    package var name: String { description.name }

    /// - Parameters:
    ///   - name: The Swift property's, save that an abbreviation counts as a word: `bundleId`.
    ///   - summary: One sentence.
    ///   - untouched: What `null` brings back.
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

    private init(
        _ description: FieldDescription,
        read: @escaping @Sendable (JSONValue, inout Root, FieldPath, inout [FieldProblem]) -> Void,
        write: @escaping @Sendable (Root) -> JSONValue?
    ) {
        self.description = description
        self.read = read
        self.write = write
    }

    /// The same member as one of a value that contains this one.
    package func inside<Outer>(_ path: any WritableKeyPath<Outer, Root> & Sendable) -> Field<Outer> {
        Field<Outer>(description) { json, outer, place, problems in
            read(json, &outer[keyPath: path], place, &problems)
        } write: {
            write($0[keyPath: path])
        }
    }
}

extension Field where Root: FieldDescribed {
    /// - Parameters:
    ///   - name: The Swift property's, save that an abbreviation counts as a word: `bundleId`.
    ///   - summary: One sentence.
    package init<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ format: FieldFormat<Value>,
        _ summary: String
    ) {
        self.init(name, path, format, summary, untouched: \.untouched)
    }
}

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
