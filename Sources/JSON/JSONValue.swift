/// A JSON value: the only tree that is read, compared and written. Delivery never builds one.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int)
    /// Written as `null` when it is not finite: a number too large for a `Double` has no spelling once read.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
    /// Valid JSON, written byte for byte; reading never yields it.
    case verbatim([UInt8])

    /// A whole number of any type; where it is an `Int`, the case is meant.
    @_disfavoredOverload
    package static func integer(_ value: some BinaryInteger) -> JSONValue {
        Int(exactly: value).map { .integer($0) } ?? .verbatim(Array(String(value).utf8))
    }

    package static func strings(_ values: some Sequence<String>) -> JSONValue { .array(values.map { .string($0) }) }

    /// `nil` for an empty text, which leaves the member out.
    package static func nonEmpty(_ text: String?) -> JSONValue? { text.flatMap { $0.isEmpty ? nil : .string($0) } }

    /// A member's value; nil when there is none, or this is no object.
    package subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// An object with the members of another one after its own; anything else stays as it is.
    package func adding(_ more: JSONValue) -> JSONValue {
        guard case .object(var members) = self, case .object(let others) = more else { return self }
        for (name, value) in others { members[name] = value }
        return .object(members)
    }

    /// The same with the members of every object in alphabetical order.
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
    /// An object; members whose value is nil are left out.
    package init(dictionaryLiteral elements: (String, JSONValue?)...) {
        self = .object(JSONObject(elements.lazy.compactMap { name, value in value.map { (name, $0) } }))
    }
}
