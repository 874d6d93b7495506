package import JSON

/// What kind of JSON a field is, for readers of other notations and for descriptions.
package indirect enum FieldSchema: Sendable, Hashable {
    case flag
    /// A text of any or a certain form.
    case text(TextForm)
    /// A file or a folder.
    case path
    /// One of a few words.
    case word([String])
    /// A whole number that is at least this, and at most that if anything.
    case integer(minimum: Int, maximum: Int?)
    /// A number from 0 to 1.
    case share
    /// A number that is at least this.
    case number(minimum: Int)
    /// Any JSON.
    case any
    case list(FieldSchema, count: ClosedRange<Int>? = nil)
    /// Values by names that are not known beforehand.
    case map(FieldSchema)
    /// A type with a table, and what it is called.
    case object(String, [FieldDescription])

    /// The kind of a list's elements.
    package var element: FieldSchema? {
        if case .list(let element, _) = self { element } else { nil }
    }

    /// The kind of an object's member; of a section's, when the name has points.
    package func member(_ name: String) -> FieldSchema? {
        switch self {
        case .map(let value): value
        case .object(_, let fields):
            fields.first { $0.name == name }?.schema
                ?? name.firstIndex(of: ".").flatMap {
                    member(String(name[..<$0]))?.member(String(name[name.index(after: $0)...]))
                }
        case .flag, .text, .path, .word, .integer, .share, .number, .any, .list: nil
        }
    }

    /// A text without quotes as JSON of this kind: from YAML, which does not tell `"no"` from no or the time 18:00 from
    /// the number 1080, an environment variable or a flag. What is not of the kind stays a text.
    ///
    /// - Parameter folder: Where relative paths start.
    package func json(of text: String, in folder: String = "") -> JSONValue {
        switch self {
        case .flag: ["true": true, "false": false][text].map { .bool($0) } ?? .string(text)
        case .integer: Int(text).map { .integer($0) } ?? .string(text)
        case .share, .number: Double(text).map { .number($0) } ?? .string(text)
        // One element may stand alone.
        case .list(let element, _): .array([element.json(of: text, in: folder)])
        case .path:
            .string(folder.isEmpty || text.isEmpty || text.hasPrefix("/") ? text : "\(folder)/\(text)")
        case .text, .word, .any, .map, .object: .string(text)
        }
    }
}

/// What a text must be like, as JSON Schema says it.
package struct TextForm: Sendable, Hashable {
    package var minimumLength: Int
    /// A regular expression that every such text matches as a whole.
    package var pattern: String?
    /// What no pattern can say.
    package var format: String?

    package init(minimumLength: Int = 0, pattern: String? = nil, format: String? = nil) {
        self.minimumLength = minimumLength
        self.pattern = pattern
        self.format = format
    }

    package static let any = TextForm()
    /// A text that is not empty.
    package static let filled = TextForm(minimumLength: 1)
}

/// A field without its type: what documents and readers of other notations need of it.
package struct FieldDescription: Sendable, Hashable {
    /// The member's name in JSON.
    package var name: String
    /// What may be written, for people.
    package var accepted: String
    /// One sentence.
    package var summary: String
    package var schema: FieldSchema
    /// Whether it may be without a value, and is then left out.
    package var isOptional: Bool
    /// Whether a new object must name it.
    package var isRequired = false

    package init(
        name: String, accepted: String, summary: String, schema: FieldSchema, isOptional: Bool, isRequired: Bool = false
    ) {
        self.name = name
        self.accepted = accepted
        self.summary = summary
        self.schema = schema
        self.isOptional = isOptional
        self.isRequired = isRequired
    }
}
