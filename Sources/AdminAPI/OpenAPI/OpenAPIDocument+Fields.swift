internal import DeviceModel
internal import Gateway

extension OpenAPIDocument {
    /// The schemas of the types that have a table of fields, and of the types in them.
    static let describedSchemas: String = {
        var components = Components()
        for schema in [App.schema, DeviceConditions.schema, FaultRule.schema] { _ = components.type(of: schema) }
        components.add("Device", DeviceConditions.fields.map(\.description), besides: deviceMembers)
        components.add("DeviceEdit", DeviceConditions.fields.map(\.description), besides: deviceEditMembers)
        components.add("AppOnDevice", NotificationSettings.fields.map(\.description), besides: appOnDeviceMembers)
        components.add("Fault", FaultRule.fields.map(\.description), besides: faultMembers)
        return components.lines.joined(separator: "\n")
    }()

    /// What a list tells of a fault rule beside it; writing it back changes nothing.
    private static let faultMembers = [
        "matched: {type: integer, description: \"How often it fitted, whether its turn had come or not.\"}",
        "fired: {type: integer}",
        "setAt: {$ref: \"#/components/schemas/Time\"}",
    ]

    /// What a device has beside its conditions.
    private static let deviceMembers =
        deviceSummaryMembers + [
            "apps: {type: object, description: \"Its apps, by bundle identifier.\", "
                + "additionalProperties: {$ref: \"#/components/schemas/AppOnDevice\"}}"
        ]

    /// What a device may be written with beside its conditions.
    private static let deviceEditMembers =
        [
            "name: {type: string}",
            "registrations: {type: array, items: {$ref: \"#/components/schemas/NewRegistration\"}}",
            "apps: {type: object, description: \"Settings by bundle identifier; null goes back to the app's own.\", "
                + "additionalProperties: {anyOf: [{$ref: \"#/components/schemas/AppOnDevice\"}, {type: \"null\"}]}}",
        ] + readOnlyMembers

    /// What reading a device gives, and writing it back may therefore contain.
    private static let readOnlyMembers = [
        "createdAt: {$ref: \"#/components/schemas/Time\"}",
        "notificationCount: {type: integer, description: What the inbox holds.}",
        "storedCount: {type: integer, description: Pushes that wait for it.}",
        "droppedCount: {type: integer, description: What a full inbox dropped.}",
        "eventCount: {type: integer, description: The number of its newest event.}",
        "counts: {$ref: \"#/components/schemas/Counts\"}",
    ]

    /// What the list tells of a device.
    private static let deviceSummaryMembers =
        [
            "name: {type: string}",
            "registrations: {type: array, items: {$ref: \"#/components/schemas/Registration\"}}",
        ] + readOnlyMembers

    /// What an app has on a device beside its settings; ignored when it is written back.
    private static let appOnDeviceMembers = [
        "badgeCount: {type: integer, minimum: 0, description: The number on its icon.}",
        "prompt: {enum: [timeSensitiveIntro, timeSensitiveReview, provisional], "
            + "description: What the system asked about it and got no answer to yet.}",
        "isTerminated: {type: boolean, description: \"Whether the person ended it, so that nothing wakes it.\"}",
    ]

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
            case .share: return "type: number, minimum: 0, maximum: 1"
            case .any: return ""
            case .list(let element): return "type: array, items: {\(type(of: element))}"
            case .map(let value): return "type: object, additionalProperties: {\(type(of: value))}"
            case .object(let name, let fields):
                add(name, fields)
                return "$ref: \"#/components/schemas/\(name)\""
            }
        }

        /// - Parameter others: properties that no table has, as they are to be written.
        mutating func add(_ name: String, _ fields: [FieldDescription], besides others: [String] = []) {
            guard names.insert(name).inserted else { return }
            let properties = fields.map { field in
                "        \(field.name): {\(type(of: field.schema)), description: \(Self.quoted(field.summary))}"
            }
            lines += ["    \(name):", "      type: object", "      additionalProperties: false", "      properties:"]
            lines += others.map { "        " + $0 } + properties
        }

        private static func quoted(_ text: String) -> String {
            "\"" + text.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
        }
    }
}
