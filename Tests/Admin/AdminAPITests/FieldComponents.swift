import Fields

/// Schemas of types with field tables, one for each use.
struct FieldComponents {
    /// The use of a schema, which is part of its component's name.
    enum Use: Hashable {
        /// Answers have every member that has a value, and never `null`.
        case answer
        /// In the body of a change `null` restores a default, so every member is nullable and optional.
        case edit
        /// The body of a complete object accepts no `null`.
        case creation

        func component(_ name: String) -> String {
            switch self {
            case .answer: name
            case .edit: name + "Edit"
            case .creation: "New" + name
            }
        }
    }

    /// A property that no table has.
    struct Member: Sendable {
        var name: String
        var type: String
        var summary: String
        var isRequired: Bool

        static func always(_ name: String, _ type: String, _ summary: String) -> Self {
            Self(name: name, type: type, summary: summary, isRequired: true)
        }

        static func maybe(_ name: String, _ type: String, _ summary: String) -> Self {
            Self(name: name, type: type, summary: summary, isRequired: false)
        }
    }

    private(set) var lines: [String] = []
    private(set) var names: Set<String> = []

    /// The type of a property: a reference for a type with a table.
    mutating func type(of schema: FieldSchema, for use: Use) -> String {
        switch schema {
        case .flag: return "type: boolean"
        case .text(let form): return Self.text(form)
        case .path: return Self.text(.filled)
        case .word(let words): return "enum: [\(words.map(Self.quoted).joined(separator: ", "))]"
        case .integer(let minimum, let maximum):
            return "type: integer, minimum: \(minimum), maximum: \(maximum ?? .max)"
        case .share: return "type: number, minimum: 0, maximum: 1"
        case .number(let minimum, let maximum):
            return "type: number, minimum: \(minimum)" + (maximum.map { ", maximum: \($0)" } ?? "")
        // A complete description has no null.
        case .any: return use == .creation ? "not: {type: \"null\"}" : ""
        case .list(let element, let count):
            let bounds = count.map { ", minItems: \($0.lowerBound), maxItems: \($0.upperBound)" } ?? ""
            return "type: array\(bounds), items: {\(type(of: element, for: use))}"
        // Members of any value, null included.
        case .map(.any): return "type: object"
        case .map(let value):
            return "type: object, additionalProperties: {\(orNull(type(of: value, for: use), use))}"
        case .object(let name, let fields):
            add(name, fields, for: use, isPart: true)
            return "$ref: \"#/components/schemas/\(use.component(name))\""
        }
    }

    private static func text(_ form: TextForm) -> String {
        let parts = [
            "type: string", form.minimumLength > 0 ? "minLength: \(form.minimumLength)" : nil,
            form.pattern.map { "pattern: \(quoted($0))" }, form.format.map { "format: \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private func orNull(_ type: String, _ use: Use) -> String {
        use == .edit && !type.isEmpty ? "anyOf: [{\(type)}, {type: \"null\"}]" : type
    }

    /// - Parameters:
    ///   - others: properties that no table has.
    ///   - isPart: Whether it is nested. An object in a list is complete and has its required members; one at
    ///     a path exists already.
    mutating func add(
        _ name: String, _ fields: [FieldDescription], for use: Use, besides others: [Member] = [], isPart: Bool = false
    ) {
        let name = use.component(name)
        guard names.insert(name).inserted else { return }
        let members = others + fields.map { member($0, for: use, isPart: isPart) }
        lines += Self.object(name, nil, members)
    }

    static func object(_ name: String, _ about: String?, _ members: [Member]) -> [String] {
        let required = members.filter(\.isRequired).map(\.name)
        let description = about.map { ["      description: \(quoted($0))"] } ?? []
        let head = ["    \(name):"] + description + ["      type: object", "      additionalProperties: false"]
        return head + (required.isEmpty ? [] : ["      required: [\(required.joined(separator: ", "))]"])
            + ["      properties:"]
            + members.map { member in
                let summary = member.summary.isEmpty ? "" : "description: \(quoted(member.summary))"
                let parts = [member.type, summary].filter { !$0.isEmpty }
                return "        \(member.name): {\(parts.joined(separator: ", "))}"
            }
    }

    private mutating func member(_ field: FieldDescription, for use: Use, isPart: Bool) -> Member {
        let type = type(of: field.schema, for: use)
        let isRequired =
            switch use {
            case .answer: !field.isOptional
            case .edit: isPart && field.isRequired
            case .creation: field.isRequired
            }
        return Member(
            name: field.name, type: isRequired ? type : orNull(type, use), summary: field.summary,
            isRequired: isRequired)
    }

    static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// A text as it stands between double quotes.
    static func escaped(_ text: String) -> String {
        text.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
