/// Reads the small JSON objects of a provider token: names with strings, numbers or anything else, one level deep.
struct FlatJSON {
    enum Value: Hashable, Sendable {
        case string(String)
        case number(String)
        /// `true`, `false`, `null`, an array or an object, unread.
        case other
    }

    /// The members in order; a repeated name is kept twice.
    private(set) var members: [(name: String, value: Value)] = []

    private let bytes: [UInt8]
    private var position = 0

    /// - Returns: `nil` when the bytes are not one JSON object, or nest deeper than 32.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard readObject() else { return nil }
        skipSpace()
        guard position == bytes.count else { return nil }
    }

    subscript(_ name: String) -> Value? { members.first { $0.name == name }?.value }

    private mutating func readObject() -> Bool {
        guard take(0x7b) else { return false }
        if take(0x7d) { return true }
        repeat {
            skipSpace()
            guard let name = readString(), take(0x3a), let value = readValue(depth: 0) else { return false }
            members.append((name, value))
        } while take(0x2c)
        return take(0x7d)
    }

    private mutating func readValue(depth: Int) -> Value? {
        skipSpace()
        guard depth < 32, position < bytes.count else { return nil }
        switch bytes[position] {
        case 0x22: return readString().map(Value.string)
        case 0x2d, 0x30...0x39: return readNumber()
        case 0x7b: return skipContainer(closing: 0x7d, depth: depth, hasNames: true)
        case 0x5b: return skipContainer(closing: 0x5d, depth: depth, hasNames: false)
        default:
            for word in ["true", "false", "null"] where bytes[position...].starts(with: word.utf8) {
                position += word.utf8.count
                return .other
            }
            return nil
        }
    }

    private mutating func skipContainer(closing: UInt8, depth: Int, hasNames: Bool) -> Value? {
        position += 1
        if take(closing) { return .other }
        repeat {
            skipSpace()
            if hasNames, readString() == nil || !take(0x3a) { return nil }
            guard readValue(depth: depth + 1) != nil else { return nil }
        } while take(0x2c)
        return take(closing) ? .other : nil
    }

    private mutating func readNumber() -> Value {
        let start = position
        while position < bytes.count, "+-.eE0123456789".utf8.contains(bytes[position]) { position += 1 }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    /// A string; escapes of identifiers and numbers are all that is understood, others become U+FFFD.
    private mutating func readString() -> String? {
        guard position < bytes.count, bytes[position] == 0x22 else { return nil }
        var text: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case 0x22: return String(decoding: text, as: UTF8.self)
            case 0..<0x20: return nil
            case 0x5c:
                guard position < bytes.count else { return nil }
                let escaped = bytes[position]
                position += 1
                switch escaped {
                case 0x22, 0x5c, 0x2f: text.append(escaped)
                case 0x62, 0x66, 0x6e, 0x72, 0x74: text.append(0x20)
                case 0x75:
                    guard position + 4 <= bytes.count else { return nil }
                    let digits = bytes[position..<position + 4].map(Hex.value)
                    guard digits.allSatisfy({ $0 < 16 }) else { return nil }
                    position += 4
                    let code = digits.reduce(0) { $0 << 4 | UInt32($1) }
                    text.append(contentsOf: String(Unicode.Scalar(code).map(Character.init) ?? "\u{fffd}").utf8)
                default: return nil
                }
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[position]) { position += 1 }
    }
}
