package import JSON

/// One member of a JSON object: how it is called, read, written and explained.
///
/// Reading, writing, messages and descriptions come from these rows only, so that none of them can forget a member.
package struct Field<Root: FieldDescribed>: Sendable {
    /// Name, accepted values, sentence and kind.
    package let description: FieldDescription
    /// Puts a value in its place, or says why not.
    package let read: @Sendable (JSONValue, inout Root, FieldPath, inout [FieldProblem]) -> Void
    /// nil leaves the member out.
    package let write: @Sendable (Root) -> OrderedJSON?

    /// The member's name in JSON.
    package var name: String { description.name }

    /// - Parameters:
    ///   - name: The Swift property's, save that an abbreviation counts as a word: `bundleId`.
    ///   - summary: One sentence.
    package init<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ format: FieldFormat<Value>,
        _ summary: String
    ) {
        description = FieldDescription(
            name: name, accepted: format.accepted, summary: summary, schema: format.schema,
            isOptional: format.isOptional)
        read = { json, root, place, problems in
            if json == .null {
                root[keyPath: path] = root.untouched[keyPath: path]
            } else if let value = format.read(json, root[keyPath: path], place.member(name), &problems) {
                root[keyPath: path] = value
            }
        }
        write = { format.write($0[keyPath: path]) }
    }
}
