package import JSON

/// What kind of JSON a field is, for other notations (YAML, variables, flags) and for documents.
package indirect enum FieldSchema: Sendable, Hashable {
    case flag
    case text(TextForm)
    /// A file or a folder.
    case path
    case word([String])
    case integer(minimum: Int, maximum: Int?)
    /// A number from 0 to 1.
    case share
    case number(minimum: Int)
    case any
    case list(FieldSchema, count: ClosedRange<Int>? = nil)
    /// Values by arbitrary names.
    case map(FieldSchema)
    /// The name of a type with a table.
    case object(String, [FieldDescription])

    package var element: FieldSchema? {
        if case .list(let element, _) = self { element } else { nil }
    }

    /// The kind of a member; a name with dots leads through sections.
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

    /// Converts a text without quotes from YAML, an environment variable or a flag, which do not tell `"no"` from no or the
    /// time 18:00 from the number 1080. A text that is not of this kind stays a text.
    ///
    /// - Parameter folder: Where relative paths start.
    package func json(of text: String, in folder: String = "") -> JSONValue {
        switch self {
        case .flag: ["true": true, "false": false][text].map { .bool($0) } ?? .string(text)
        case .integer: Int(text).map { .integer($0) } ?? .string(text)
        case .share, .number: Double(text).map { .number($0) } ?? .string(text)
        // A single element needs no brackets.
        case .list(let element, _): .array([element.json(of: text, in: folder)])
        case .path:
            .string(folder.isEmpty || text.isEmpty || text.hasPrefix("/") ? text : "\(folder)/\(text)")
        case .text, .word, .any, .map, .object: .string(text)
        }
    }
}

/// The form of a text, in the terms of JSON Schema.
package struct TextForm: Sendable, Hashable {
    package var minimumLength: Int
    /// A regular expression for the whole text.
    package var pattern: String?
    package var format: String?

    package init(minimumLength: Int = 0, pattern: String? = nil, format: String? = nil) {
        self.minimumLength = minimumLength
        self.pattern = pattern
        self.format = format
    }

    package static let any = TextForm()
    package static let filled = TextForm(minimumLength: 1)
}

/// A field without its Swift type, for documents and other notations.
package struct FieldDescription: Sendable, Hashable {
    package var name: String
    /// For people: `true or false`.
    package var accepted: String
    /// One sentence.
    package var summary: String
    package var schema: FieldSchema
    /// Whether it is omitted without a value.
    package var isOptional: Bool
    /// Whether a new object must have it.
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
