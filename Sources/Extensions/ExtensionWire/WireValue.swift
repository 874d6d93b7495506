package import Foundation

/// JSON of the extension protocol.
package indirect enum WireValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([WireValue])
    case object([String: WireValue])

    package subscript(_ name: String) -> WireValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    package var text: String? { if case .string(let text) = self { text } else { nil } }

    package var integer: Int? { if case .integer(let number) = self { number } else { nil } }

    package var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The strings of an array; skips other elements.
    package var words: [String]? { elements?.compactMap(\.text) }

    package var elements: [WireValue]? { if case .array(let elements) = self { elements } else { nil } }
}

extension WireValue {
    package static func words(_ words: [String]) -> Self { .array(words.map { .string($0) }) }

    package init(_ text: String?) { self = text.map { .string($0) } ?? .null }

    /// ISO 8601 with milliseconds, UTC; null for nil.
    package init(_ date: Date?) { self = date.map { .string($0.formatted(Self.instant)) } ?? .null }

    package var date: Date? {
        guard let text else { return nil }
        return (try? Self.instant.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    }

    private static let instant = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

extension WireValue {
    package init(json: some DataProtocol) throws {
        self.init(foundationObject: try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed))
    }

    /// One line, with members in alphabetical order.
    package var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let number): "\(number)"
        case .number(let number): number.isFinite ? "\(number)" : "null"
        case .string(let string): Self.quoted(string)
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { Self.quoted($0.key) + ":" + $0.value.json }
                .joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20: text += String(format: "\\u%04x", scalar.value)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

// `userInfo` is `[AnyHashable: Any]` on iOS, so JSON must convert to `Any`.
extension WireValue {
    /// As from `JSONSerialization`: strings, numbers, arrays, dictionaries, `NSNull`.
    package var foundationObject: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): NSNumber(value: value)
        case .integer(let number): NSNumber(value: number)
        case .number(let number): NSNumber(value: number)
        case .string(let string): string
        case .array(let elements): elements.map(\.foundationObject)
        case .object(let members): members.mapValues(\.foundationObject)
        }
    }

    /// Converts a property list value: dates to ISO 8601, data to Base64, any other non-JSON value to its description.
    package init(foundationObject object: Any) {
        switch object {
        case let string as String: self = .string(string)
        case let number as NSNumber: self = Self(number)
        case let date as Date: self.init(date)
        case let data as Data: self = .string(data.base64EncodedString())
        case let url as URL: self = .string(url.absoluteString)
        case let uuid as UUID: self = .string(uuid.uuidString)
        case let elements as [Any]: self = .array(elements.map { WireValue(foundationObject: $0) })
        case let members as [AnyHashable: Any]:
            let named = members.map { ("\($0.key.base)", WireValue(foundationObject: $0.value)) }
            self = .object(Dictionary(named) { first, _ in first })
        case is NSNull: self = .null
        default: self = .string(String(describing: object))
        }
    }

    private init(_ number: NSNumber) {
        // Foundation stores Booleans as numbers of C type `char`.
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): self = .bool(number.boolValue)
        case UInt8(ascii: "f"), UInt8(ascii: "d"): self = .number(number.doubleValue)
        default: self = Int(exactly: number).map { .integer($0) } ?? .number(number.doubleValue)
        }
    }
}
