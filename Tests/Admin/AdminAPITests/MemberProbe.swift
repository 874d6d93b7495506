import APNs
import Time

/// The members that a type's synthesized `Decodable` reads.
final class MemberProbe: Decoder, SingleValueDecodingContainer, UnkeyedDecodingContainer {
    private(set) var members: [(name: String, type: Any.Type, isRequired: Bool)] = []

    init() {}

    init(of type: (some Decodable).Type) throws { _ = try type.init(from: self) }

    fileprivate func note(_ name: String, _ type: Any.Type, isRequired: Bool) {
        members.append((name, type, isRequired))
    }

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members(probe: self))
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    // MARK: Values: nothing, of whatever type

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let nothing: [Any?] = [
            false, "", 0, UInt32(0), UInt64(0), Int64(0), 0.0, Instant(milliseconds: 0), DeviceToken(bytes: [0]),
        ]
        if let value = nothing.lazy.compactMap({ $0 as? Value }).first { return value }
        if let type = type as? any CaseIterable.Type, let value = Self.first(of: type) as? Value { return value }
        return try Value(from: MemberProbe())
    }

    private static func first<Value: CaseIterable>(of _: Value.Type) -> Any? { Value.allCases.first }

    // MARK: Lists: empty

    func unkeyedContainer() -> any UnkeyedDecodingContainer { self }

    let count: Int? = 0
    let isAtEnd = true
    let currentIndex = 0

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        MemberProbe().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }

    func superDecoder() -> any Decoder { self }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: MemberProbe
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_: Key) -> Bool { true }

    func decodeNil(forKey _: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        probe.note(key.stringValue, type, isRequired: true)
        return try MemberProbe().decode(type)
    }

    func decodeIfPresent<Value: Decodable>(_: Value.Type, forKey key: Key) -> Value? { absent(key) }

    func decodeIfPresent(_: Bool.Type, forKey key: Key) -> Bool? { absent(key) }
    func decodeIfPresent(_: String.Type, forKey key: Key) -> String? { absent(key) }
    func decodeIfPresent(_: Double.Type, forKey key: Key) -> Double? { absent(key) }
    func decodeIfPresent(_: Int.Type, forKey key: Key) -> Int? { absent(key) }
    func decodeIfPresent(_: Int64.Type, forKey key: Key) -> Int64? { absent(key) }
    func decodeIfPresent(_: UInt64.Type, forKey key: Key) -> UInt64? { absent(key) }

    private func absent<Value>(_ key: Key) -> Value? {
        probe.note(key.stringValue, Value.self, isRequired: false)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey _: Key
    ) -> KeyedDecodingContainer<Nested> { MemberProbe().container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey _: Key) -> any UnkeyedDecodingContainer { MemberProbe() }

    func superDecoder() -> any Decoder { probe }

    func superDecoder(forKey _: Key) -> any Decoder { probe }
}
