internal import Fields
internal import FoundationEssentials

/// Decodes a value and rejects members that its type does not read, at any depth. For types without a table of members
/// (`FieldDescribed`).
struct Strict<Value: Decodable>: Decodable {
    let value: Value

    /// - Throws: `FieldError` with the path of the unknown member.
    init(from decoder: any Decoder) throws {
        let members = ReadMembers(of: decoder)
        value = try Value(from: StrictDecoder(base: decoder, members: members))
        try members.check()
    }
}

/// The names that were read from one object.
private final class ReadMembers {
    private let decoder: any Decoder
    private var names: Set<String> = []
    private var nested: [ReadMembers] = []
    var isObject = false

    init(of decoder: any Decoder) { self.decoder = decoder }

    func add(_ key: some CodingKey) { names.insert(key.stringValue) }

    /// Of an object read through a container of this one.
    func inner(_ decoder: any Decoder) -> StrictDecoder {
        let members = ReadMembers(of: decoder)
        nested.append(members)
        return StrictDecoder(base: decoder, members: members)
    }

    func check() throws {
        for members in nested { try members.check() }
        guard isObject else { return }
        let present = try decoder.container(keyedBy: FieldPath.Part.self).allKeys.map(\.stringValue)
        guard let unknown = present.filter({ !names.contains($0) }).min() else { return }
        let path = FieldPath(codingPath: decoder.codingPath)
        throw FieldError(problems: [.unknown(unknown, at: path, known: names.sorted())])
    }
}

private struct StrictDecoder: Decoder {
    let base: any Decoder
    let members: ReadMembers
    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let container = try base.container(keyedBy: type)
        members.isObject = true
        return KeyedDecodingContainer(StrictMembers(base: container, members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        StrictElements(base: try base.unkeyedContainer(), members: members)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        StrictValue(base: try base.singleValueContainer())
    }
}

private struct StrictMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: KeyedDecodingContainer<Key>
    let members: ReadMembers
    var codingPath: [any CodingKey] { base.codingPath }
    var allKeys: [Key] { base.allKeys }

    func contains(_ key: Key) -> Bool {
        members.add(key)
        return base.contains(key)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        members.add(key)
        return isScalar(type)
            ? try base.decode(type, forKey: key) : try base.decode(Strict<Value>.self, forKey: key).value
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> { try inner(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try inner(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { members.inner(try base.superDecoder()) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key) }

    private func inner(_ key: Key) throws -> StrictDecoder {
        members.add(key)
        return members.inner(try base.superDecoder(forKey: key))
    }
}

private struct StrictElements: UnkeyedDecodingContainer {
    var base: any UnkeyedDecodingContainer
    let members: ReadMembers
    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }

    mutating func decodeNil() throws -> Bool { try base.decodeNil() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        isScalar(type) ? try base.decode(type) : try base.decode(Strict<Value>.self).value
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try members.inner(try base.superDecoder()).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try members.inner(try base.superDecoder()).unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { members.inner(try base.superDecoder()) }
}

private struct StrictValue: SingleValueDecodingContainer {
    let base: any SingleValueDecodingContainer
    var codingPath: [any CodingKey] { base.codingPath }

    func decodeNil() -> Bool { base.decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        isScalar(type) ? try base.decode(type) : try base.decode(Strict<Value>.self).value
    }
}

/// Whether a decoder reads the type itself: numbers, `Bool`, `String`, and `Data` as Base64.
private func isScalar(_ type: any Decodable.Type) -> Bool {
    type is any LosslessStringConvertible.Type || type == Data.self
}
