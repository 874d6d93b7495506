/// Checks bytes against RFC 8259 in one pass. Borrows the bytes; do not let it escape the closure that lends them.
/// Public and inlinable where `DeviceModel` reads every push's traits: `package` code is not inlined across modules.
public struct JSONValidator {
    /// Deeper documents are invalid. A 4096-byte payload never needs more.
    @inlinable public static var maximumDepth: Int { 128 }

    /// Levels that the state, journal and recordings may add around the values of an input.
    package static let stateDepth = 64

    package struct Failure {
        package var kind: JSONProblem.Kind
        package var offset: Int
    }

    public let bytes: UnsafeRawBufferPointer
    public var position = 0
    /// Valid only after a check returned false.
    package private(set) var failure = Failure(kind: .truncated, offset: 0)
    @usableFromInline package var isObject = false

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// 0 at the end, which no rule expects.
    @inlinable @inline(__always)
    public var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    /// - Parameter member: Validates a top-level member's value; receives the key with its quotes.
    @inlinable @inline(__always)
    public mutating func document(_ member: (inout JSONValidator, Range<Int>) -> Bool) -> Bool {
        skipSpace()
        isObject = current == ASCII.leftBrace
        guard isObject ? object(depth: 0, member) : value(depth: 0) else { return false }
        skipSpace()
        return position == bytes.count || fail(.contentAfterEnd)
    }

    /// Of the state, a journal record or a recording: `stateDepth` levels deeper.
    package mutating func stateDocument() -> Bool {
        skipSpace()
        guard value(depth: -Self.stateDepth) else { return false }
        skipSpace()
        return position == bytes.count || fail(.contentAfterEnd)
    }

    /// Records only the first failure; at the end of the bytes, any failure is a truncation.
    @usableFromInline @inline(never)
    mutating func fail(_ kind: JSONProblem.Kind) -> Bool {
        failure = Failure(kind: position < bytes.count ? kind : .truncated, offset: position)
        return false
    }

    @inlinable @inline(__always)
    mutating func skipSpace() {
        while position < bytes.count {
            let byte = bytes[position]
            if byte > ASCII.space { return }
            guard
                byte == ASCII.space || byte == ASCII.lineFeed || byte == ASCII.carriageReturn || byte == ASCII.tab
            else { return }
            position += 1
        }
    }

    @inlinable @inline(__always)
    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    public mutating func value(depth: Int) -> Bool {
        switch current {
        case ASCII.quote: return string()
        case ASCII.leftBrace: return object(depth: depth) { json, _ in json.value(depth: depth + 1) }
        case ASCII.leftBracket: return array(depth: depth)
        case ASCII.minus, ASCII.zero...ASCII.nine: return number()
        case UInt8(ascii: "t"): return literal("true")
        case UInt8(ascii: "f"): return literal("false")
        case UInt8(ascii: "n"): return literal("null")
        default: return fail(.expectedValue)
        }
    }

    /// - Parameter member: Validates a member's value; receives the key with its quotes.
    @inlinable @inline(__always)
    public mutating func object(depth: Int, _ member: (inout JSONValidator, Range<Int>) -> Bool) -> Bool {
        guard depth < Self.maximumDepth else { return fail(.tooDeep) }
        position += 1
        skipSpace()
        if take(ASCII.rightBrace) { return true }
        while true {
            guard current == ASCII.quote else { return fail(.expectedKey) }
            let keyStart = position
            guard string() else { return false }
            let key = keyStart..<position
            skipSpace()
            guard take(ASCII.colon) else { return fail(.expectedColon) }
            skipSpace()
            guard member(&self, key) else { return false }
            skipSpace()
            if take(ASCII.rightBrace) { return true }
            guard take(ASCII.comma) else { return fail(.expectedCommaInObject) }
            skipSpace()
            if current == ASCII.rightBrace { return fail(.trailingComma) }
        }
    }

    private mutating func array(depth: Int) -> Bool {
        guard depth < Self.maximumDepth else { return fail(.tooDeep) }
        position += 1
        skipSpace()
        if take(ASCII.rightBracket) { return true }
        while true {
            guard value(depth: depth + 1) else { return false }
            skipSpace()
            if take(ASCII.rightBracket) { return true }
            guard take(ASCII.comma) else { return fail(.expectedCommaInArray) }
            skipSpace()
            if current == ASCII.rightBracket { return fail(.trailingComma) }
        }
    }

    /// Unescapes a validated string and looks it up. `string` includes the quotes.
    @inlinable @inline(__always)
    public func meaning<Meaning>(
        of string: Range<Int>, _ meaning: (UnsafeRawBufferPointer) -> Meaning?
    ) -> Meaning? {
        let text = UnsafeRawBufferPointer(rebasing: bytes[string.lowerBound + 1..<string.upperBound - 1])
        if let known = meaning(text) { return known }
        return text.contains(ASCII.backslash) ? unescapedMeaning(of: string, meaning) : nil
    }

    @usableFromInline @inline(never)
    func unescapedMeaning<Meaning>(
        of string: Range<Int>, _ meaning: (UnsafeRawBufferPointer) -> Meaning?
    ) -> Meaning? {
        var reader = JSONReader(bytes, at: string.lowerBound)
        return reader.string(meaning)
    }
}

extension JSONValidator {
    @inlinable @inline(__always)
    public mutating func string() -> Bool {
        let end = plainTextEnd(from: position + 1)
        if end < bytes.count, bytes[end] == ASCII.quote {
            position = end + 1
            return true
        }
        position = end
        return restOfString()
    }

    /// Continues a string at its first escape or non-ASCII byte.
    @usableFromInline @inline(never)
    mutating func restOfString() -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            if byte == ASCII.quote {
                position += 1
                return true
            }
            if byte >= 0x80 {
                guard character() else { return false }
            } else if byte == ASCII.backslash {
                guard escape() else { return false }
            } else if byte < ASCII.space {
                let isLineBreak = byte == ASCII.lineFeed || byte == ASCII.carriageReturn
                return fail(isLineBreak ? .lineBreakInString : .controlCharacter)
            } else {
                position = plainTextEnd(from: position + 1)
            }
        }
        return fail(.truncated)
    }

    /// The next quote, backslash, control character or non-ASCII byte, searched eight bytes at a time.
    @inlinable @inline(__always)
    func plainTextEnd(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highBits: UInt64 = 0x8080_8080_8080_8080
        let bytes = bytes
        var place = start
        while place + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let quotes = word ^ (ones &* UInt64(ASCII.quote))
            let backslashes = word ^ (ones &* UInt64(ASCII.backslash))
            // A borrow can set a false mark only above a true one, and only the lowest mark is used. `word` itself
            // marks non-ASCII bytes, so the usual `& ~word` is not needed.
            let marks = (word &- ones &* UInt64(ASCII.space)) | (quotes &- ones) | (backslashes &- ones) | word
            if marks & highBits != 0 {
                let place = place + (marks & highBits).trailingZeroBitCount >> 3
                return place
            }
            place += 8
        }
        while place < bytes.count {
            let byte = bytes[place]
            if byte == ASCII.quote || byte == ASCII.backslash || byte < ASCII.space || byte >= 0x80 { break }
            place += 1
        }
        return place
    }

    private mutating func escape() -> Bool {
        let start = position
        position += 1
        switch current {
        case ASCII.quote, ASCII.backslash, UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
            return true
        case UInt8(ascii: "u"):
            position += 1
            guard let unit = codeUnit() else { return false }
            return unit & 0xF800 != 0xD800 || lowSurrogate(after: unit, from: start)
        default: return fail(.badEscape)
        }
    }

    private mutating func codeUnit() -> UInt32? {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = ASCII.hexValue(current) else {
                _ = fail(.badEscape)
                return nil
            }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }

    /// A high surrogate needs an escaped low one after it; neither is valid alone.
    private mutating func lowSurrogate(after unit: UInt32, from start: Int) -> Bool {
        if unit < 0xDC00, current == ASCII.backslash {
            position += 1
            if current == UInt8(ascii: "u") {
                position += 1
                guard let low = codeUnit() else { return false }
                if low & 0xFC00 == 0xDC00 { return true }
            }
        }
        if position >= bytes.count { return fail(.truncated) }
        position = start
        return fail(.loneSurrogate)
    }

    /// One well-formed UTF-8 sequence of two to four bytes (The Unicode Standard, table 3-7).
    @inline(__always)
    private mutating func character() -> Bool {
        let lead = bytes[position]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return fail(.badUTF8)
        }
        guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { return fail(.badUTF8) }
        if length > 2, bytes[position + 2] & 0xC0 != 0x80 { return fail(.badUTF8) }
        if length > 3, bytes[position + 3] & 0xC0 != 0x80 { return fail(.badUTF8) }
        position += length
        return true
    }

    mutating func number() -> Bool {
        if current == ASCII.minus { position += 1 }
        if current == ASCII.zero {
            position += 1
            if ASCII.zero...ASCII.nine ~= current { return fail(.leadingZero) }
        } else {
            guard digits() else { return false }
        }
        if current == ASCII.point {
            position += 1
            guard digits() else { return false }
        }
        if current | 0x20 == UInt8(ascii: "e") {
            position += 1
            if current == ASCII.plus || current == ASCII.minus { position += 1 }
            return digits()
        }
        return true
    }

    @inline(__always)
    private mutating func digits() -> Bool {
        let start = position
        while ASCII.zero...ASCII.nine ~= current { position += 1 }
        return position > start || fail(.badNumber)
    }

    mutating func literal(_ text: StaticString) -> Bool {
        let start = position
        for index in 0..<text.utf8CodeUnitCount {
            guard current == text.utf8Start[index] else {
                if position < bytes.count { position = start }
                return fail(.expectedValue)
            }
            position += 1
        }
        return true
    }
}
