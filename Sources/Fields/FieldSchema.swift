/// What kind of JSON a field is, for readers of other notations and for descriptions.
package indirect enum FieldSchema: Sendable, Hashable {
    case flag
    /// A text of any or a certain form.
    case text(TextForm)
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
