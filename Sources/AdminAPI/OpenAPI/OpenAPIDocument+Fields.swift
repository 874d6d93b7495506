internal import DeviceModel

extension OpenAPIDocument {
    /// The schemas of the types that have a table of fields, and of the types in them.
    static let describedSchemas: String = {
        var components = Components()
        for schema in [App.schema, DeviceConditions.schema] { _ = components.type(of: schema) }
        return components.lines.joined(separator: "\n")
    }()

    /// Schemas by name, each written once.
    private struct Components {
        private(set) var lines: [String] = []
        private var names: Set<String> = []

        /// The type as it stands in a property: a reference for a type with a table.
        mutating func type(of schema: FieldSchema) -> String {
            switch schema {
            case .flag: return "type: boolean"
            case .text: return "type: string"
            case .word(let words): return "enum: [\(words.map(Self.quoted).joined(separator: ", "))]"
            case .integer(let minimum, let maximum):
                return "type: integer, minimum: \(minimum)" + (maximum.map { ", maximum: \($0)" } ?? "")
            case .list(let element): return "type: array, items: {\(type(of: element))}"
            case .map(let value): return "type: object, additionalProperties: {\(type(of: value))}"
            case .object(let name, let fields):
                add(name, fields)
                return "$ref: \"#/components/schemas/\(name)\""
            }
        }

        private mutating func add(_ name: String, _ fields: [FieldDescription]) {
            guard names.insert(name).inserted else { return }
            let properties = fields.map { field in
                "        \(field.name): {\(type(of: field.schema)), description: \(Self.quoted(field.summary))}"
            }
            lines += ["    \(name):", "      type: object", "      additionalProperties: false", "      properties:"]
            lines += properties
        }

        private static func quoted(_ text: String) -> String {
            "\"" + text.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
        }
    }
}
