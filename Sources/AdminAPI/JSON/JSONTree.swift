internal import APNs

/// JSON to be written: members keep their order, and finished JSON can be put in as it is.
enum JSONTree: Sendable {
    case null
    case bool(Bool)
    /// A number as it is written.
    case number(String)
    case string(String)
    case array([JSONTree])
    case object([(name: String, value: JSONTree)])
    /// Valid JSON, byte for byte.
    case raw([UInt8])

    static func integer(_ value: some BinaryInteger) -> JSONTree { .number(String(value)) }

    /// ISO 8601 with milliseconds, UTC.
    static func time(_ instant: Instant) -> JSONTree { .string(instant.text) }

    static func strings(_ values: some Sequence<String>) -> JSONTree { .array(values.map { .string($0) }) }

    /// `nil` for an empty text, so that the member is left out.
    static func nonEmpty(_ text: String?) -> JSONTree? { text.flatMap { $0.isEmpty ? nil : .string($0) } }

    /// An object's members followed by more; anything else stays as it is.
    func adding(_ more: JSONTree) -> JSONTree {
        guard case .object(let members) = self, case .object(let others) = more else { return self }
        return .object(members + others)
    }

    /// Appends the JSON text.
    func write(into text: inout [UInt8]) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let value): text += (value ? "true" : "false").utf8
        case .number(let digits): text += digits.utf8
        case .string(let value): Self.write(value, into: &text)
        case .raw(let bytes): text += bytes
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                element.write(into: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                Self.write(member.name, into: &text)
                text.append(UInt8(ascii: ":"))
                member.value.write(into: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ string: String, into text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): text += #"\""#.utf8
            case UInt8(ascii: "\\"): text += #"\\"#.utf8
            case 0x0A: text += #"\n"#.utf8
            case 0x0D: text += #"\r"#.utf8
            case 0x09: text += #"\t"#.utf8
            case 0..<0x20: text += ((byte < 16 ? #"\u000"# : #"\u00"#) + String(byte, radix: 16)).utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}

extension JSONTree: ExpressibleByDictionaryLiteral {
    /// An object; members whose value is nil are left out.
    init(dictionaryLiteral elements: (String, JSONTree?)...) {
        self = .object(elements.compactMap { name, value in value.map { (name, $0) } })
    }
}
