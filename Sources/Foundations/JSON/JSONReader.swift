/// Reads a document that `JSONValidator` accepted, without building a tree. Borrows the bytes; do not let it escape the
/// closure that lends them.
package struct JSONReader {
    package enum Kind { case object, array, string, number, bool, null }

    private let bytes: UnsafeRawBufferPointer
    package var position: Int

    package init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] <= ASCII.space { position += 1 }
    }

    /// Consumes only white space.
    package mutating func kind() -> Kind {
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

    package mutating func enter() {
        skipSpace()
        position += 1
    }

    /// nil after the last key; then the object is left.
    package mutating func nextKey() -> String? {
        nextElement() ? key { String(decoding: $0, as: UTF8.self) } : nil
    }

    /// Does not create a `String`.
    @inline(__always)
    package mutating func key<Key>(_ meaning: (UnsafeRawBufferPointer) -> Key) -> Key {
        let key = string(meaning)
        skipColon()
        return key
    }

    /// A key as it is written, and unescaped if it has escapes.
    mutating func key() -> (text: UnsafeRawBufferPointer, unescaped: String?) {
        skipSpace()
        let start = position
        skip()
        let text = UnsafeRawBufferPointer(rebasing: bytes[start + 1..<position - 1])
        skipColon()
        guard text.contains(ASCII.backslash) else { return (text, nil) }
        var reader = JSONReader(bytes, at: start)
        return (text, reader.string())
    }

    private mutating func skipColon() {
        skipSpace()
        position += 1
    }

    /// False after the last element or member; then the array or object is left.
    package mutating func nextElement() -> Bool {
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

    package mutating func string() -> String { string { String(decoding: $0, as: UTF8.self) } }

    /// Does not create a `String`; `meaning` borrows the unescaped bytes.
    @inline(__always)
    package mutating func string<Meaning>(_ meaning: (UnsafeRawBufferPointer) -> Meaning) -> Meaning {
        skipSpace()
        let start = position + 1
        position = plainTextEnd(from: start)
        guard current == ASCII.backslash else {
            // A truncated document fails validation, but must not trap here.
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[min(start, position)..<position])
            position += 1
            return meaning(bytes)
        }
        return unescaped(from: start).withUnsafeBytes { meaning($0) }
    }

    @inline(never)
    private mutating func unescaped(from start: Int) -> [UInt8] {
        var text = Array(bytes[start..<position])
        while position < bytes.count, bytes[position] != ASCII.quote {
            if bytes[position] == ASCII.backslash {
                appendEscape(to: &text)
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        position += 1
        return text
    }

    private func plainTextEnd(from start: Int) -> Int {
        let scan = JSONValidator(bytes)
        var place = scan.plainTextEnd(from: start)
        while place < bytes.count, bytes[place] != ASCII.quote, bytes[place] != ASCII.backslash {
            place = scan.plainTextEnd(from: place + 1)
        }
        return min(place, bytes.count)
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

    package mutating func number() -> String {
        skipSpace()
        let start = position
        skip()
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Accepts `3`, `3.0` and `3e0`; nil for any other number.
    package mutating func wholeNumber() -> Int? {
        if let small = smallNumber() { return small }
        return JSON.wholeNumber(number())
    }

    /// nil for a number that is negative, has more than 18 digits, a fraction or an exponent; then it is still to be read.
    mutating func smallNumber() -> Int? {
        skipSpace()
        let start = position
        var value = 0
        while position - start < 18, ASCII.zero...ASCII.nine ~= current {
            value = value * 10 + Int(current - ASCII.zero)
            position += 1
        }
        let end = position
        position = start
        skip()
        if end == position { return value }
        position = start
        return nil
    }

    package mutating func bool() -> Bool {
        skipSpace()
        defer { skip() }
        return current == UInt8(ascii: "t")
    }

    /// - Parameter path: Of the value, for errors.
    package mutating func decode<Value: Decodable>(
        _ type: Value.Type, at path: [JSONKey], trust: JSONTextDecoder.Trust
    ) throws -> Value {
        let value = try JSONTextDecoder(&self, at: path, trust).value(type)
        skip()
        return value
    }

    package mutating func skip() {
        skipSpace()
        var validator = JSONValidator(bytes)
        validator.position = position
        _ = validator.value(depth: -JSONValidator.stateDepth)
        position = validator.position
    }
}

extension JSONValue {
    /// nil for invalid JSON or more than `JSONValidator.maximumDepth` levels.
    package init?(_ document: RawSpan) {
        let value: JSONValue? = document.withUnsafeBytes { bytes in
            var validator = JSONValidator(bytes)
            guard validator.document({ json, _ in json.value(depth: 1) }) else { return nil }
            var reader = JSONReader(bytes)
            return Self(&reader)
        }
        guard let value else { return nil }
        self = value
    }

    package init(_ reader: inout JSONReader) {
        switch reader.kind() {
        case .object:
            var members = JSONObject()
            reader.enter()
            while let key = reader.nextKey() { members[key] = Self(&reader) }
            self = .object(members)
        case .array:
            var elements: [JSONValue] = []
            reader.enter()
            while reader.nextElement() { elements.append(Self(&reader)) }
            self = .array(elements)
        case .string: self = .string(reader.string())
        case .bool: self = .bool(reader.bool())
        case .number:
            let text = reader.number()
            self = wholeNumber(text).map { .integer($0) } ?? .number(Double(text) ?? 0)
        case .null:
            reader.skip()
            self = .null
        }
    }
}

private func wholeNumber(_ text: String) -> Int? { Int(text) ?? Double(text).flatMap { Int(exactly: $0) } }
