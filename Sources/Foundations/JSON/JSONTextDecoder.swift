internal import FoundationEssentials

/// Decodes from valid JSON text without a tree. `JSONDecoder` builds one, records coding paths and failed attempts, and
/// cannot reject unknown members.
package final class JSONTextDecoder: Decoder {
    /// Of the text's author.
    package enum Trust: Sendable {
        /// Unknown members are skipped.
        case own
        /// Unknown and repeated members are errors, at any depth.
        case foreign
    }

    fileprivate let scalar: JSONScalar
    private let parent: JSONTextDecoder?
    /// From the parent, or from the document's root.
    private let path: [JSONKey]
    fileprivate let trust: Trust
    private var members: [Member]?
    /// The member found last: the next one is found soon after it.
    private var lastFound = 0
    /// Names of members that the type knows and the object lacks.
    private var absent: [String] = []
    /// Whose members belong to the same value.
    private var nested: [JSONTextDecoder] = []

    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    package var codingPath: [any CodingKey] { (parent?.codingPath ?? []) + path.map { $0 as any CodingKey } }

    init(_ reader: inout JSONReader, at path: [JSONKey], _ trust: Trust) {
        (scalar, parent, self.path, self.trust) = (JSONScalar(&reader), nil, path, trust)
    }

    private init(_ scalar: JSONScalar, in parent: JSONTextDecoder, at path: [JSONKey]) {
        (self.scalar, self.parent, self.path, trust) = (scalar, parent, path, parent.trust)
    }

    /// - Throws: `DecodingError` with its place, `UnknownMember`, `RepeatedMember`; `JSONProblem` for invalid JSON.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from text: [UInt8], trust: Trust = .own
    ) throws -> Value {
        try text.withUnsafeBytes { bytes in
            var validator = JSONValidator(bytes)
            guard validator.stateDocument() else { throw JSONProblem(validator.failure, in: bytes) }
            var reader = JSONReader(bytes)
            return try reader.decode(type, at: [], trust: trust)
        }
    }

    fileprivate func inner(_ scalar: JSONScalar, at key: JSONKey) -> JSONTextDecoder {
        JSONTextDecoder(scalar, in: self, at: [key])
    }

    /// Whose members are checked with this one's.
    fileprivate func inside(_ scalar: JSONScalar, at key: JSONKey) -> JSONTextDecoder {
        let inner = inner(scalar, at: key)
        if trust == .foreign { nested.append(inner) }
        return inner
    }

    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == Data.self {
            let text = try decode(String.self)
            guard let data = Data(base64Encoded: text) as? Value else {
                throw DecodingError.dataCorrupted(context("it is not Base64."))
            }
            return data
        }
        // They refer to this one.
        defer { removeNested() }
        let value = try Value(from: self)
        if trust == .foreign { try check() }
        return value
    }

    private func removeNested() {
        for inner in nested { inner.removeNested() }
        nested = []
    }

    /// The value as a tree, with members in the order of the text.
    func json() throws -> JSONValue {
        var reader = scalar.reader
        switch (trust, scalar.kind) {
        case (.foreign, .object):
            let members = try scan()
            // All are read.
            self.members = []
            return .object(JSONObject(try members.map { ($0.name, try inner($0.value, at: .member($0.name)).json()) }))
        case (.foreign, .array): return .array(try [JSONValue](from: self))
        default: return JSONValue(&reader)
        }
    }

    func mismatch(as type: Any.Type) -> DecodingError { mismatch(as: type, scalar) }

    private func mismatch(as type: Any.Type, _ scalar: JSONScalar, at key: JSONKey? = nil) -> DecodingError {
        scalar.kind == .null
            ? .valueNotFound(type, context("it is null", at: key))
            : .typeMismatch(type, context("it is of another type", at: key))
    }

    fileprivate func context(_ words: String, at key: JSONKey? = nil) -> DecodingError.Context {
        let keys: [any CodingKey] = key.map { [$0] } ?? []
        return .init(codingPath: codingPath + keys, debugDescription: words)
    }

    fileprivate func read<Value>(
        _ scalar: JSONScalar, at key: JSONKey? = nil, _ read: (JSONScalar) -> Value?
    ) throws -> Value {
        guard let value = read(scalar) else { throw mismatch(as: Value.self, scalar, at: key) }
        return value
    }
}

// MARK: Objects

extension JSONTextDecoder {
    fileprivate struct Member {
        let text: UnsafeRawBufferPointer
        /// nil if it is written without escapes.
        let unescaped: String?
        let value: JSONScalar
        var isRead = false

        var name: String { unescaped ?? String(decoding: text, as: UTF8.self) }

        func hasName(_ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
            if let unescaped { return unescaped.utf8.elementsEqual(wanted) }
            return text.count == wanted.count && text.elementsEqual(wanted)
        }
    }

    /// Beyond it, a set finds repeated members.
    private static let fewMembers = 16

    private func scan() throws -> [Member] {
        if let members { return members }
        guard scalar.kind == .object else { throw mismatch(as: [String: Any].self) }
        var members: [Member] = []
        var reader = scalar.reader
        reader.enter()
        while reader.nextElement() {
            let (name, unescaped) = reader.key()
            members.append(Member(text: name, unescaped: unescaped, value: JSONScalar(&reader)))
            reader.skip()
        }
        if trust == .foreign { try refuseRepeated(members) }
        self.members = members
        return members
    }

    private func refuseRepeated(_ members: [Member]) throws {
        var repeated: String?
        if members.count > Self.fewMembers {
            var names: Set<String> = []
            repeated = members.lazy.map(\.name).first { !names.insert($0).inserted }
        } else {
            for (index, member) in members.enumerated() where repeated == nil {
                let isRepeated = members[..<index].contains {
                    $0.unescaped == nil && member.unescaped == nil
                        ? $0.text.count == member.text.count && $0.text.elementsEqual(member.text)
                        : $0.name == member.name
                }
                if isRepeated { repeated = member.name }
            }
        }
        if let repeated { throw RepeatedMember(path: codingPath + [JSONKey.member(repeated)]) }
    }

    fileprivate func names() throws -> [String] { try scan().map(\.name) }

    /// nil if the object lacks it.
    fileprivate func find(_ name: String) -> JSONScalar? {
        var name = name
        return name.withUTF8 { wanted in
            let count = members?.count ?? 0
            for step in 0..<count {
                let index = lastFound + step < count ? lastFound + step : lastFound + step - count
                guard members?[index].hasName(wanted) == true else { continue }
                members?[index].isRead = true
                lastFound = index
                return members?[index].value
            }
            if trust == .foreign { absent.append(String(decoding: wanted, as: UTF8.self)) }
            return nil
        }
    }

    fileprivate func member(_ key: some CodingKey) throws -> JSONScalar {
        guard let member = find(key.stringValue) else {
            throw DecodingError.keyNotFound(key, context("the member is missing"))
        }
        return member
    }

    private func check() throws {
        for inner in nested { try inner.check() }
        guard let members, let unknown = members.lazy.filter({ !$0.isRead }).map(\.name).min() else { return }
        let known = Set(absent).union(members.lazy.filter(\.isRead).map(\.name))
        throw UnknownMember(path: codingPath, name: unknown, known: known.sorted())
    }

    package func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        _ = try scan()
        return KeyedDecodingContainer(MemberDecoder(decoder: self))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard scalar.kind == .array else { throw mismatch(as: [Any].self) }
        return ElementDecoder(self)
    }
}

private struct MemberDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: JSONTextDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { (try? decoder.names())?.compactMap { Key(stringValue: $0) } ?? [] }

    func contains(_ key: Key) -> Bool { decoder.find(key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder.member(key).kind == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try inner(key).value(type)
    }

    // These need no decoder.
    func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) { $0.bool() } }
    func decode(_: String.Type, forKey key: Key) throws -> String { try scalar(key) { $0.string() } }
    func decode(_: Double.Type, forKey key: Key) throws -> Double { try scalar(key) { $0.real(decoder.trust) } }
    func decode(_: Int.Type, forKey key: Key) throws -> Int { try scalar(key) { $0.integer() } }
    func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key) { $0.integer() } }
    func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(key) { $0.integer() } }
    func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(key) { $0.integer() } }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try superDecoder(forKey: key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        let key = JSONKey.member("super")
        return decoder.inside(try decoder.member(key), at: key)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        decoder.inside(try decoder.member(key), at: .member(key.stringValue))
    }

    private func inner(_ key: Key) throws -> JSONTextDecoder {
        decoder.inner(try decoder.member(key), at: .member(key.stringValue))
    }

    private func scalar<Value>(_ key: Key, _ read: (JSONScalar) -> Value?) throws -> Value {
        try decoder.read(try decoder.member(key), at: .member(key.stringValue), read)
    }
}

// MARK: Arrays

private struct ElementDecoder: UnkeyedDecodingContainer {
    private let decoder: JSONTextDecoder
    private var reader: JSONReader
    private(set) var currentIndex = 0
    private(set) var isAtEnd: Bool
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { nil }

    init(_ decoder: JSONTextDecoder) {
        self.decoder = decoder
        reader = decoder.scalar.reader
        reader.enter()
        isAtEnd = !reader.nextElement()
    }

    mutating func decodeNil() throws -> Bool {
        guard try current().kind == .null else { return false }
        advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder.inner(try current(), at: .element(currentIndex)).value(type)
        advance()
        return value
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        let inner = decoder.inside(try current(), at: .element(currentIndex))
        advance()
        return inner
    }

    private func current() throws -> JSONScalar {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                JSONValue.self, decoder.context("the array has no more elements", at: .element(currentIndex)))
        }
        var reader = reader
        return JSONScalar(&reader)
    }

    private mutating func advance() {
        reader.skip()
        isAtEnd = !reader.nextElement()
        currentIndex += 1
    }
}

// MARK: Single values

extension JSONTextDecoder: SingleValueDecodingContainer {
    package func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    package func decodeNil() -> Bool { scalar.kind == .null }

    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONTextDecoder(scalar, in: self, at: []).value(type)
    }

    package func decode(_: Bool.Type) throws -> Bool { try read(scalar) { $0.bool() } }
    package func decode(_: String.Type) throws -> String { try read(scalar) { $0.string() } }
    package func decode(_: Double.Type) throws -> Double { try read(scalar) { $0.real(trust) } }
    package func decode(_: Float.Type) throws -> Float { try read(scalar) { $0.real(trust).map { Float($0) } } }
    package func decode(_: Int.Type) throws -> Int { try read(scalar) { $0.integer() } }
    package func decode(_: Int8.Type) throws -> Int8 { try read(scalar) { $0.integer() } }
    package func decode(_: Int16.Type) throws -> Int16 { try read(scalar) { $0.integer() } }
    package func decode(_: Int32.Type) throws -> Int32 { try read(scalar) { $0.integer() } }
    package func decode(_: Int64.Type) throws -> Int64 { try read(scalar) { $0.integer() } }
    package func decode(_: UInt.Type) throws -> UInt { try read(scalar) { $0.integer() } }
    package func decode(_: UInt8.Type) throws -> UInt8 { try read(scalar) { $0.integer() } }
    package func decode(_: UInt16.Type) throws -> UInt16 { try read(scalar) { $0.integer() } }
    package func decode(_: UInt32.Type) throws -> UInt32 { try read(scalar) { $0.integer() } }
    package func decode(_: UInt64.Type) throws -> UInt64 { try read(scalar) { $0.integer() } }
}
