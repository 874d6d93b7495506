extension JSONValue {
    /// Members keep declaration order; `JSONEncoder` sorts them or has no order.
    package init(encoding value: some Encodable) throws {
        let slot = EncodingSlot()
        try slot.encode(value)
        self = slot.json
    }
}

private final class EncodingSlot: Encoder, SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    private var scalar = JSONValue.null
    private var members: [(name: String, slot: EncodingSlot)]?
    private(set) var elements: [EncodingSlot]?

    var json: JSONValue {
        if let members { return .object(JSONObject(members.map { ($0.name, $0.slot.json) })) }
        if let elements { return .array(elements.map(\.json)) }
        return scalar
    }

    func member(_ key: any CodingKey) -> EncodingSlot {
        let slot = EncodingSlot()
        members?.append((key.stringValue, slot))
        return slot
    }

    func element() -> EncodingSlot {
        let slot = EncodingSlot()
        elements?.append(slot)
        return slot
    }

    func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        members = members ?? []
        return KeyedEncodingContainer(MemberEncoder(slot: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        elements = elements ?? []
        return ElementEncoder(slot: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { scalar = .null }

    func encode(_ value: some Encodable) throws {
        switch value {
        case let value as JSONValue: scalar = value
        case let value as Bool: scalar = .bool(value)
        case let value as String: scalar = .string(value)
        case let value as any BinaryInteger: scalar = .integer(value)
        case let value as any BinaryFloatingPoint: scalar = .number(Double(value))
        default: try value.encode(to: self)
        }
    }
}

private struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: EncodingSlot
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws { _ = slot.member(key) }

    func encode(_ value: some Encodable, forKey key: Key) throws { try slot.member(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { slot.member(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { slot.member(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { slot }

    func superEncoder(forKey key: Key) -> any Encoder { slot.member(key) }
}

private struct ElementEncoder: UnkeyedEncodingContainer {
    let slot: EncodingSlot
    var codingPath: [any CodingKey] { [] }
    var count: Int { slot.elements?.count ?? 0 }

    func encodeNil() throws { _ = slot.element() }

    func encode(_ value: some Encodable) throws { try slot.element().encode(value) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        slot.element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { slot.element().unkeyedContainer() }

    func superEncoder() -> any Encoder { slot.element() }
}
