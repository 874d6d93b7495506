/// Any JSON, for output: a notification's `userInfo` in the admin API. Delivery never builds it.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads the value before the reader, in a document that is valid JSON.
    package init(_ reader: inout JSONReader) {
        switch reader.kind() {
        case .object:
            var members: [String: JSONValue] = [:]
            reader.enter()
            while let key = reader.nextKey() { members[key] = Self(&reader) }
            self = .object(members)
        case .array:
            var elements: [JSONValue] = []
            reader.enter()
            while reader.nextElement() { elements.append(Self(&reader)) }
            self = .array(elements)
        case .string: self = .string(reader.string())
        case .bool: self = .bool(reader.bool())
        case .number:
            let text = reader.number()
            self = Int(exactlyWritten: text).map { .integer($0) } ?? .number(Double(text) ?? 0)
        case .null:
            reader.skip()
            self = .null
        }
    }
}

extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            self = decoder.json
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
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        // A number too large for a Double has no JSON spelling once read.
        case .number(let value): try value.isFinite ? container.encode(value) : container.encodeNil()
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension Int {
    /// A whole number as JSON may write it: `3`, `3.0` and `3e0` are the same.
    init?(exactlyWritten text: String) {
        guard let value = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }) else { return nil }
        self = value
    }
}
