/// A JSON tree. Delivery never builds one.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int)
    /// Written as `null` when it is not finite, because it was too large for a `Double` when read.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
    /// Valid JSON, written byte for byte; never the result of reading.
    case verbatim([UInt8])

    /// A whole number of any other type than `Int`.
    @_disfavoredOverload
    package static func integer(_ value: some BinaryInteger) -> JSONValue {
        Int(exactly: value).map { .integer($0) } ?? .verbatim(Array(String(value).utf8))
    }

    package static func strings(_ values: some Sequence<String>) -> JSONValue { .array(values.map { .string($0) }) }

    /// `nil`, which omits the member, for an empty text.
    package static func nonEmpty(_ text: String?) -> JSONValue? { text.flatMap { $0.isEmpty ? nil : .string($0) } }

    package subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// Appends another object's members; returns any other value unchanged.
    package func adding(_ more: JSONValue) -> JSONValue {
        guard case .object(var members) = self, case .object(let others) = more else { return self }
        for (name, value) in others { members[name] = value }
        return .object(members)
    }

    /// The members of every object in alphabetical order.
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
    /// An object; omits members whose value is nil.
    package init(dictionaryLiteral elements: (String, JSONValue?)...) {
        self = .object(JSONObject(elements.lazy.compactMap { name, value in value.map { (name, $0) } }))
    }
}
