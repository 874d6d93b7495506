internal import FoundationEssentials

/// Encodes to JSON text without a tree; `JSONEncoder` builds one of dictionaries.
///
/// A value must be encoded before the next of its container is begun.
package final class JSONTextEncoder: Encoder {
    package enum Style: Sendable {
        /// Members are in alphabetical order: equal values have equal bytes. Infinite numbers become texts.
        case state
        /// Members are in the order of their declarations, numbers and JSON as `JSONValue` writes them.
        case answer
    }

    private let style: Style
    // Checks of exclusive access take a tenth of the time.
    @exclusivity(unchecked) private var text: [UInt8] = []
    /// The objects and arrays that are not complete, outermost first.
    @exclusivity(unchecked) private var open: [OpenPart] = []
    /// How many of them contain the value that is being encoded.
    private var depth = 0

    private init(_ style: Style) { self.style = style }

    package static func bytes(_ value: some Encodable, as style: Style = .state) -> [UInt8] {
        let encoder = JSONTextEncoder(style)
        do {
            try encoder.write(value)
        } catch {
            preconditionFailure("a state or an answer can be encoded: \(error)")
        }
        return encoder.text
    }

    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    package func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(MemberEncoder<Key>(encoder: self, depth: enter(.object, in: depth)))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ElementEncoder(encoder: self, depth: enter(.array, in: depth))
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer { self }

    // MARK: Values

    fileprivate func write<Value: Encodable>(_ value: Value) throws {
        if Value.self == Data.self, let data = value as? Data { return write(data.base64EncodedString()) }
        if style == .answer, Value.self == JSONValue.self, let json = value as? JSONValue { return text += json.bytes }
        let outer = depth
        depth = open.count
        let start = text.count
        try value.encode(to: self)
        close(to: depth)
        if text.count == start { text += "{}".utf8 }
        depth = outer
    }

    fileprivate func write(_ value: String) { text.append(quoting: value) }

    fileprivate func write(_ value: Bool) { write(unquoted: value ? "true" : "false") }

    fileprivate func write(integer value: some FixedWidthInteger) { write(unquoted: String(value)) }

    fileprivate func write(number value: some BinaryFloatingPoint & LosslessStringConvertible) {
        if style == .answer { return text += JSONValue.number(Double(value)).bytes }
        guard value.isFinite else { return write(value.isNaN ? "nan" : value < 0 ? "-inf" : "inf") }
        let words = String(value)
        write(unquoted: words.hasSuffix(".0") ? String(words.dropLast(2)) : words)
    }

    fileprivate func writeNull() { write(unquoted: "null") }

    private func write(unquoted words: String) { text += words.utf8 }

    // MARK: Objects and arrays

    private struct OpenPart {
        enum Kind: Equatable { case object, array }

        let kind: Kind
        /// After its bracket.
        let start: Int
        var count = 0
        var members: [(name: String, start: Int)] = []
        var isInOrder = true
    }

    /// - Returns: Its depth.
    private func enter(_ kind: OpenPart.Kind, in depth: Int) -> Int {
        // A value may ask for its container more than once.
        if open.count > depth {
            precondition(open[depth].kind == kind, "a value is either an object or an array")
            close(to: depth + 1)
        } else {
            text.append(kind == .object ? ASCII.leftBrace : ASCII.leftBracket)
            open.append(OpenPart(kind: kind, start: text.count))
        }
        return depth + 1
    }

    fileprivate func enterMember<Key: CodingKey>(_: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(MemberEncoder<Key>(encoder: self, depth: enter(.object, in: open.count)))
    }

    fileprivate func enterElements() -> ElementEncoder {
        ElementEncoder(encoder: self, depth: enter(.array, in: open.count))
    }

    fileprivate func begin(_ name: String, in depth: Int) {
        beginPart(in: depth)
        if style == .state {
            let last = depth - 1
            if let former = open[last].members.last?.name, !former.precedes(name) { open[last].isInOrder = false }
            open[last].members.append((name, text.count))
        }
        text.append(quoting: name)
        text.append(ASCII.colon)
    }

    fileprivate func beginPart(in depth: Int) {
        close(to: depth)
        if open[depth - 1].count > 0 { text.append(ASCII.comma) }
        open[depth - 1].count += 1
    }

    fileprivate func count(in depth: Int) -> Int { open[depth - 1].count }

    private func close(to depth: Int) {
        while open.count > depth {
            let part = open.removeLast()
            if !part.isInOrder { sort(part) }
            text.append(part.kind == .object ? ASCII.rightBrace : ASCII.rightBracket)
        }
    }

    /// Of equal names, the last one stays.
    private func sort(_ object: OpenPart) {
        let members = object.members
        let order = members.indices.sorted { members[$0].name.precedes(members[$1].name) }
        var sorted: [UInt8] = []
        sorted.reserveCapacity(text.count - object.start)
        for (place, index) in order.enumerated() {
            if place + 1 < order.count, members[order[place + 1]].name == members[index].name { continue }
            if !sorted.isEmpty { sorted.append(ASCII.comma) }
            // A comma follows each but the last.
            let end = index + 1 < members.count ? members[index + 1].start - 1 : text.count
            sorted += text[members[index].start..<end]
        }
        text.replaceSubrange(object.start..., with: sorted)
    }
}

extension String {
    fileprivate func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

private struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONTextEncoder
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { at(key).writeNull() }
    func encode(_ value: Bool, forKey key: Key) { at(key).write(value) }
    func encode(_ value: String, forKey key: Key) { at(key).write(value) }
    func encode(_ value: Double, forKey key: Key) { at(key).write(number: value) }
    func encode(_ value: Float, forKey key: Key) { at(key).write(number: value) }
    func encode(_ value: some FixedWidthInteger & Encodable, forKey key: Key) { at(key).write(integer: value) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try at(key).write(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { at(key).enterMember(type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { at(key).enterElements() }

    func superEncoder() -> any Encoder { preconditionFailure("no class is encoded") }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }

    private func at(_ key: Key) -> JSONTextEncoder {
        encoder.begin(key.stringValue, in: depth)
        return encoder
    }
}

private struct ElementEncoder: UnkeyedEncodingContainer {
    let encoder: JSONTextEncoder
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var count: Int { encoder.count(in: depth) }

    func encodeNil() { next.writeNull() }
    func encode(_ value: Bool) { next.write(value) }
    func encode(_ value: String) { next.write(value) }
    func encode(_ value: Double) { next.write(number: value) }
    func encode(_ value: Float) { next.write(number: value) }
    func encode(_ value: some FixedWidthInteger & Encodable) { next.write(integer: value) }
    func encode(_ value: some Encodable) throws { try next.write(value) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        next.enterMember(type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next.enterElements() }

    func superEncoder() -> any Encoder { preconditionFailure("no class is encoded") }

    private var next: JSONTextEncoder {
        encoder.beginPart(in: depth)
        return encoder
    }
}

extension JSONTextEncoder: SingleValueEncodingContainer {
    package func encodeNil() { writeNull() }
    package func encode(_ value: Bool) { write(value) }
    package func encode(_ value: String) { write(value) }
    package func encode(_ value: Double) { write(number: value) }
    package func encode(_ value: Float) { write(number: value) }
    package func encode(_ value: some FixedWidthInteger & Encodable) { write(integer: value) }
    package func encode(_ value: some Encodable) throws { try write(value) }
}
