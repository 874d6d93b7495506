/// A JSON tree. Delivery never builds one.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int)
    /// Not finite if it was too large for a `Double`; then written as `null`.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
    /// Valid JSON to write byte for byte; reading never produces it.
    case verbatim([UInt8])

    /// Accepts every integer type except `Int`.
    @_disfavoredOverload
    package static func integer(_ value: some BinaryInteger) -> JSONValue {
        Int(exactly: value).map { .integer($0) } ?? .verbatim(Array(String(value).utf8))
    }

    package static func strings(_ values: some Sequence<String>) -> JSONValue { .array(values.map { .string($0) }) }

    /// nil for an empty text, which omits the member.
    package static func nonEmpty(_ text: String?) -> JSONValue? { text?.ifAny.map { .string($0) } }

    package subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// Empty unless this is a list.
    package var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    package var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .bool, .string, .array, .object, .verbatim: nil
        }
    }

    /// Appends another object's members; returns a non-object unchanged.
    package func adding(_ more: JSONValue) -> JSONValue {
        guard case .object(var members) = self, case .object(let others) = more else { return self }
        for (name, value) in others { members[name] = value }
        return .object(members)
    }

    /// Sorts members alphabetically at every level.
    package var sorted: JSONValue {
        switch self {
        case .null, .bool, .integer, .number, .string, .verbatim: self
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted) }))
        }
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue?)...) {
        self = .object(JSONObject(elements.lazy.compactMap { name, value in value.map { (name, $0) } }))
    }
}

extension String {
    /// nil for an empty text, which omits a member.
    package var ifAny: String? { isEmpty ? nil : self }
}

extension Double {
    /// Without a fraction if it is whole.
    package var shortText: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
