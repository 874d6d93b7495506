package import Foundation

/// JSON as it goes over the extension's protocol.
package indirect enum WireValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([WireValue])
    case object([String: WireValue])

    /// The member of an object; `nil` for anything else.
    package subscript(_ name: String) -> WireValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    package var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// A whole number.
    package var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    package var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// A truth value.
    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The strings of an array; what is none is left out.
    package var words: [String]? { elements?.compactMap(\.text) }

    /// The elements of an array.
    package var elements: [WireValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}

extension WireValue {
    /// An array of strings.
    package static func words(_ words: [String]) -> Self { .array(words.map { .string($0) }) }

    /// A string, or null.
    package init(_ text: String?) {
        self = text.map { .string($0) } ?? .null
    }

    /// A date as ISO 8601 with milliseconds, UTC; or null.
    package init(_ date: Date?) {
        self = date.map { .string($0.formatted(Self.instant)) } ?? .null
    }

    /// The date of an ISO 8601 text.
    package var date: Date? {
        guard let text else { return nil }
        return (try? Self.instant.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    }

    private static let instant = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
