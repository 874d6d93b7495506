/// What kind of JSON a field is, for readers of other notations and for descriptions.
public indirect enum FieldSchema: Sendable, Hashable {
    case flag
    /// A text of any or a certain form.
    case text
    /// One of a few words.
    case word([String])
    /// A whole number that is at least this, and at most that if anything.
    case integer(minimum: Int, maximum: Int?)
    /// A number from 0 to 1.
    case share
    /// Any JSON.
    case any
    case list(FieldSchema)
    /// Values by names that are not known beforehand.
    case map(FieldSchema)
    /// A type with a table, and what it is called.
    case object(String, [FieldDescription])
}

/// A field without its type: what documents and readers of other notations need of it.
public struct FieldDescription: Sendable, Hashable {
    /// The member's name in JSON.
    public var name: String
    /// What may be written, for people.
    public var accepted: String
    /// One sentence.
    public var summary: String
    public var schema: FieldSchema
}
