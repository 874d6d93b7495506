package import JSON

/// The JSON form of a field, for documentation and for YAML, environment variables and flags.
package indirect enum FieldSchema: Sendable, Hashable {
    case flag
    case text(TextForm)
    case path
    case word([String])
    case integer(minimum: Int, maximum: Int?)
    /// 0 to 1.
    case share
    case number(minimum: Int, maximum: Int? = nil)
    case any
    case list(FieldSchema, count: ClosedRange<Int>? = nil)
    case map(FieldSchema)
    /// A type's name and table.
    case object(String, [FieldDescription])

    package var element: FieldSchema? { if case .list(let element, _) = self { element } else { nil } }

    /// - Parameter name: Dots separate nested sections.
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

    /// Converts unquoted text from YAML, a variable or a flag, where `"no"` and no, or the time 18:00 and the number
    /// 1080, look alike. Text of another form stays a string. Relative paths start at `folder`.
    package func json(of text: String, in folder: String = "") -> JSONValue {
        switch self {
        case .flag: ["true": true, "false": false][text].map { .bool($0) } ?? .string(text)
        case .integer: Int(text).map { .integer($0) } ?? .string(text)
        case .share, .number: Double(text).map { .number($0) } ?? .string(text)
        // A single element needs no brackets.
        case .list(let element, _): .array([element.json(of: text, in: folder)])
        case .path: .string(folder.isEmpty || text.isEmpty || text.hasPrefix("/") ? text : "\(folder)/\(text)")
        case .text, .word, .any, .map, .object: .string(text)
        }
    }
}

/// JSON Schema's constraints on a string.
package struct TextForm: Sendable, Hashable {
    package var minimumLength: Int
    /// Matches the whole text.
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

package struct FieldDescription: Sendable, Hashable {
    package var name: String
    /// For messages: `true or false`.
    package var accepted: String
    package var summary: String
    package var schema: FieldSchema
    /// Omitted without a value.
    package var isOptional: Bool
    /// Required in a new object.
    package var isRequired = false

    package init(name: String, accepted: String, summary: String, schema: FieldSchema, isOptional: Bool) {
        self.name = name
        self.accepted = accepted
        self.summary = summary
        self.schema = schema
        self.isOptional = isOptional
    }
}
