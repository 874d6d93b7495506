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
        case .string(let value): write(value)
        case .verbatim(let bytes): text += bytes
        case .array(let elements): write(elements, between: "[", "]") { $0.write($1) }
        case .object(let members):
            write(members, between: "{", "}") { writer, member in
                writer.write(member.key)
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

    private mutating func write(_ string: String) {
        text.append(ASCII.quote)
        if string.utf8.allSatisfy({ $0 >= ASCII.space && $0 != ASCII.quote && $0 != ASCII.backslash }) {
            text += string.utf8
        } else {
            for byte in string.utf8 { write(escaping: byte) }
        }
        text.append(ASCII.quote)
    }

    private mutating func write(escaping byte: UInt8) {
        switch byte {
        case ASCII.quote: text += #"\""#.utf8
        case ASCII.backslash: text += #"\\"#.utf8
        case ASCII.lineFeed: text += #"\n"#.utf8
        case ASCII.carriageReturn: text += #"\r"#.utf8
        case ASCII.tab: text += #"\t"#.utf8
        case 0..<ASCII.space: text += ((byte < 16 ? #"\u000"# : #"\u00"#) + String(byte, radix: 16)).utf8
        default: text.append(byte)
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
