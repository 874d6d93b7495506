/// Decodes parsed JSON without recording coding paths and failed attempts, which took `JSONDecoder` most of a journal's
/// start-up time. Its errors therefore name no place.
package struct JSONValueDecoder: Decoder, SingleValueDecodingContainer {
    package let json: JSONValue
    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    package init(_ json: JSONValue) { self.json = json }

    package func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(MemberDecoder(members: try object()))
    }

    func object() throws -> JSONObject {
        guard case .object(let members) = json else { throw mismatch(as: JSONObject.self) }
        return members
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = json else { throw mismatch(as: [JSONValue].self) }
        return ElementDecoder(elements: elements)
    }

    package func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    package func decodeNil() -> Bool { if case .null = json { true } else { false } }

    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }

    package func decode(_: Bool.Type) throws -> Bool {
        guard case .bool(let value) = json else { throw mismatch(as: Bool.self) }
        return value
    }

    package func decode(_: String.Type) throws -> String {
        guard case .string(let value) = json else { throw mismatch(as: String.self) }
        return value
    }

    // One per type: a cast to a protocol would cost more than everything else.
    package func decode(_: Double.Type) throws -> Double { try real() }
    package func decode(_: Float.Type) throws -> Float { try real() }
    package func decode(_: Int.Type) throws -> Int { try integer() }
    package func decode(_: Int8.Type) throws -> Int8 { try integer() }
    package func decode(_: Int16.Type) throws -> Int16 { try integer() }
    package func decode(_: Int32.Type) throws -> Int32 { try integer() }
    package func decode(_: Int64.Type) throws -> Int64 { try integer() }
    package func decode(_: UInt.Type) throws -> UInt { try integer() }
    package func decode(_: UInt8.Type) throws -> UInt8 { try integer() }
    package func decode(_: UInt16.Type) throws -> UInt16 { try integer() }
    package func decode(_: UInt32.Type) throws -> UInt32 { try integer() }
    package func decode(_: UInt64.Type) throws -> UInt64 { try integer() }

    private func integer<Value: FixedWidthInteger>() throws -> Value {
        guard case .integer(let number) = json, let value = Value(exactly: number) else {
            throw mismatch(as: Value.self)
        }
        return value
    }

    /// JSON has no infinities; they are strings.
    private func real<Value: BinaryFloatingPoint>() throws -> Value {
        switch json {
        case .integer(let value): Value(value)
        case .number(let value): Value(value)
        case .string("inf"): .infinity
        case .string("-inf"): -.infinity
        case .string("nan"): .nan
        default: throw mismatch(as: Value.self)
        }
    }

    private func mismatch(as type: Any.Type) -> DecodingError {
        .typeMismatch(type, DecodingError.Context(codingPath: [], debugDescription: "the JSON is of another type"))
    }
}

private struct MemberDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: JSONObject
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { JSONValueDecoder(members["super"] ?? .null) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> JSONValueDecoder {
        guard let json = members[key.stringValue] else {
            throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: "the member is missing"))
        }
        return JSONValueDecoder(json)
    }
}

private struct ElementDecoder: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try current().decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next { try $0.decode(type) } }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }

    private mutating func next<Result>(_ decode: (JSONValueDecoder) throws -> Result) throws -> Result {
        let result = try decode(try current())
        currentIndex += 1
        return result
    }

    private func current() throws -> JSONValueDecoder {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                JSONValue.self, .init(codingPath: [], debugDescription: "the array has no more elements"))
        }
        return JSONValueDecoder(elements[currentIndex])
    }
}

extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            self = decoder.json
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
