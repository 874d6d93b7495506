internal import JSON

/// Checks bytes against RFC 8259 in one pass and remembers where the top-level `aps` stands.
///
/// - Note: Borrows the bytes; use it inside the closure that lends them.
struct JSONValidator {
    /// Where and why a document stops being JSON.
    struct Failure {
        var kind: PayloadProblem.Kind
        var offset: Int
    }

    let bytes: UnsafeRawBufferPointer
    var position = 0
    /// Meaningful once a check answered false.
    private(set) var failure = Failure(kind: .truncated, offset: 0)
    /// Where the value of the top-level key `aps` stands; the last one when it is repeated.
    private(set) var aps: Range<Int>?
    /// Whether the document is an object.
    private(set) var isObject = false

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The byte at hand; 0, which no rule expects, at the end.
    @inline(__always)
    var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    /// Checks all of the bytes.
    mutating func document() -> Bool {
        skipSpace()
        isObject = current == ASCII.leftBrace
        guard value(depth: 0) else { return false }
        skipSpace()
        return position == bytes.count || fail(.contentAfterEnd)
    }

    /// Notes the first failure; at the end of the bytes every failure is a truncation.
    @inline(never)
    mutating func fail(_ kind: PayloadProblem.Kind) -> Bool {
        failure = Failure(kind: position < bytes.count ? kind : .truncated, offset: position)
        return false
    }

    @inline(__always)
    private mutating func skipSpace() {
        while position < bytes.count {
            let byte = bytes[position]
            if byte > ASCII.space { return }
            guard
                byte == ASCII.space || byte == ASCII.lineFeed || byte == ASCII.carriageReturn || byte == ASCII.tab
            else { return }
            position += 1
        }
    }

    @inline(__always)
    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        switch current {
        case ASCII.quote: return string()
        case ASCII.leftBrace: return object(depth: depth)
        case ASCII.leftBracket: return array(depth: depth)
        case ASCII.minus, ASCII.zero...ASCII.nine: return number()
        case UInt8(ascii: "t"): return literal("true")
        case UInt8(ascii: "f"): return literal("false")
        case UInt8(ascii: "n"): return literal("null")
        default: return fail(.expectedValue)
        }
    }

    private mutating func object(depth: Int) -> Bool {
        guard depth < PayloadScan.maximumDepth else { return fail(.tooDeep) }
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
            let valueStart = position
            guard value(depth: depth + 1) else { return false }
            if depth == 0, isAPS(key) { aps = valueStart..<position }
            skipSpace()
            if take(ASCII.rightBrace) { return true }
            guard take(ASCII.comma) else { return fail(.expectedCommaInObject) }
            skipSpace()
            if current == ASCII.rightBrace { return fail(.trailingComma) }
        }
    }

    private mutating func array(depth: Int) -> Bool {
        guard depth < PayloadScan.maximumDepth else { return fail(.tooDeep) }
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

    /// Whether a key, quotes included, reads `aps`; a key may be spelled with escapes.
    @inline(__always)
    private func isAPS(_ key: Range<Int>) -> Bool {
        if key.count == 5 {
            let start = key.lowerBound
            return bytes[start + 1] == UInt8(ascii: "a") && bytes[start + 2] == UInt8(ascii: "p")
                && bytes[start + 3] == UInt8(ascii: "s")
        }
        guard bytes[key].contains(ASCII.backslash) else { return false }
        var reader = JSONReader(bytes, at: key.lowerBound)
        return reader.string() == "aps"
    }
}
