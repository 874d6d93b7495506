/// Pulls values out of a document that `PayloadScan` found valid, without building a tree.
///
/// - Note: Borrows the bytes; use it inside the closure that lends them.
struct JSONReader {
    /// What kind of value comes next.
    enum Kind: String {
        case object, array, string, number, bool, null
    }

    private let bytes: UnsafeRawBufferPointer
    private(set) var position: Int

    init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] <= ASCII.space { position += 1 }
    }

    /// The kind of the value that comes next; nothing is consumed but white space.
    mutating func kind() -> Kind {
        skipSpace()
        return switch current {
        case ASCII.leftBrace: .object
        case ASCII.leftBracket: .array
        case ASCII.quote: .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    /// Steps into an object or array.
    mutating func enter() {
        skipSpace()
        position += 1
    }

    /// The next key of the object entered; nil, having left the object, behind the last one.
    mutating func nextKey() -> String? {
        guard nextElement() else { return nil }
        let key = string()
        skipSpace()
        position += 1  // the colon
        return key
    }

    /// Whether another element of the array entered comes next; false, having left the array, behind the last one.
    mutating func nextElement() -> Bool {
        skipSpace()
        if current == ASCII.comma {
            position += 1
            skipSpace()
        }
        guard position < bytes.count, current != ASCII.rightBrace, current != ASCII.rightBracket else {
            position += 1
            return false
        }
        return true
    }

    /// A string, unescaped.
    mutating func string() -> String {
        skipSpace()
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != ASCII.quote, bytes[position] != ASCII.backslash {
            position += 1
        }
        let end = position
        guard current == ASCII.backslash else {
            position += 1
            return start <= end ? String(decoding: bytes[start..<end], as: UTF8.self) : ""
        }
        var text = Array(bytes[start..<end])
        while position < bytes.count, bytes[position] != ASCII.quote {
            if bytes[position] == ASCII.backslash {
                appendEscape(to: &text)
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func appendEscape(to text: inout [UInt8]) {
        position += 1
        let letter = current
        position += 1
        switch letter {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(ASCII.lineFeed)
        case UInt8(ascii: "r"): text.append(ASCII.carriageReturn)
        case UInt8(ascii: "t"): text.append(ASCII.tab)
        case UInt8(ascii: "u"):
            var scalar = codeUnit()
            if scalar & 0xFC00 == 0xD800, current == ASCII.backslash {
                position += 2
                scalar = 0x10000 + (scalar & 0x3FF) << 10 + codeUnit() & 0x3FF
            }
            text.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
        default: text.append(letter)
        }
    }

    private mutating func codeUnit() -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            unit = unit << 4 | (ASCII.hexValue(current) ?? 0)
            position += 1
        }
        return unit
    }

    /// A number as it is written, for `Int` or `Double` to read.
    mutating func number() -> String {
        skipSpace()
        let start = position
        skipScalar()
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// `true` or `false`.
    mutating func bool() -> Bool {
        skipSpace()
        defer { skipScalar() }
        return current == UInt8(ascii: "t")
    }

    private mutating func skipScalar() {
        while position < bytes.count {
            switch bytes[position] {
            case ASCII.comma, ASCII.rightBrace, ASCII.rightBracket, 0...ASCII.space: return
            default: position += 1
            }
        }
    }

    /// Steps over the value that comes next, whatever it holds.
    mutating func skip() {
        var depth = 0
        repeat {
            skipSpace()
            switch current {
            case ASCII.quote: skipString()
            case ASCII.leftBrace, ASCII.leftBracket:
                depth += 1
                position += 1
            case ASCII.rightBrace, ASCII.rightBracket:
                depth -= 1
                position += 1
            case ASCII.comma, ASCII.colon: position += 1
            default: skipScalar()
            }
        } while depth > 0 && position < bytes.count
    }

    private mutating func skipString() {
        position += 1
        while position < bytes.count, bytes[position] != ASCII.quote {
            position += bytes[position] == ASCII.backslash ? 2 : 1
        }
        position += 1
    }
}
