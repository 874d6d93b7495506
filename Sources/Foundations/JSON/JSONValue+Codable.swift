extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONTextDecoder {
            self = try decoder.json()
            return
        }
        if let members = try? JSONObject(from: decoder) {
            self = .object(members)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else {
            self = .array(try container.decode([JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        if case .object(let members) = self { return try members.encode(to: encoder) }
        var container = encoder.singleValueContainer()
        switch self {
        case .null, .object: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try value.isFinite ? container.encode(value) : container.encodeNil()
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .verbatim(let bytes): try container.encode(JSONValue(bytes.span.bytes))
        }
    }
}
