private struct JSONWriter {
    /// One line per member and element, two spaces per level, and spaces around colons.
    var isIndented = false
    var text: [UInt8] = []
    var depth = 0

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: text += "null".utf8
        case .bool(let value): text += (value ? "true" : "false").utf8
        case .integer(let value): text += String(value).utf8
        case .number(let value): text += (value.isFinite ? String(value) : "null").utf8
        case .string(let value): text.append(quoting: value)
        case .verbatim(let bytes): text += bytes
        case .array(let elements): write(elements, between: "[", "]") { $0.write($1) }
        case .object(let members):
            write(members, between: "{", "}") { writer, member in
                writer.text.append(quoting: member.key)
                writer.text += (writer.isIndented ? " : " : ":").utf8
                writer.write(member.value)
            }
        }
    }

    private mutating func write<Parts: Collection>(
        _ parts: Parts, between start: String, _ end: String, each: (inout JSONWriter, Parts.Element) -> Void
    ) {
        text += start.utf8
        depth += 1
        if isIndented, parts.isEmpty { text.append(ASCII.lineFeed) }
        var isFirst = true
        for part in parts {
            if !isFirst { text.append(ASCII.comma) }
            isFirst = false
            breakLine()
            each(&self, part)
        }
        depth -= 1
        breakLine()
        text += end.utf8
    }

    private mutating func breakLine() {
        guard isIndented else { return }
        text.append(ASCII.lineFeed)
        text += repeatElement(ASCII.space, count: 2 * depth)
    }
}

extension [UInt8] {
    mutating func append(quoting string: String) {
        append(ASCII.quote)
        var string = string
        string.withUTF8 { bytes in
            if bytes.allSatisfy({ $0 >= ASCII.space && $0 != ASCII.quote && $0 != ASCII.backslash }) {
                append(contentsOf: bytes)
            } else {
                for byte in bytes { append(escaping: byte) }
            }
        }
        append(ASCII.quote)
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case ASCII.quote: self += #"\""#.utf8
        case ASCII.backslash: self += #"\\"#.utf8
        case ASCII.lineFeed: self += #"\n"#.utf8
        case ASCII.carriageReturn: self += #"\r"#.utf8
        case ASCII.tab: self += #"\t"#.utf8
        case 0..<ASCII.space: self += ((byte < 16 ? #"\u000"# : #"\u00"#) + String(byte, radix: 16)).utf8
        default: append(byte)
        }
    }
}

extension JSONValue {
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.text
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Indented, with members in alphabetical order.
    package var indentedText: String {
        var writer = JSONWriter(isIndented: true)
        writer.write(sorted)
        return String(decoding: writer.text, as: UTF8.self)
    }
}
