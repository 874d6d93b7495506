internal import DeviceModel
internal import JSON

extension JSONTree {
    /// What a table of fields wrote.
    init(_ json: OrderedJSON) {
        self =
            switch json {
            case .null: .null
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(value)
            case .number(let value): value.isFinite ? .number(String(value)) : .null
            case .string(let value): .string(value)
            case .array(let elements): .array(elements.map { JSONTree($0) })
            case .object(let members): .object(members.map { ($0.name, JSONTree($0.value)) })
            }
    }
}
