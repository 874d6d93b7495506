internal import JSON

extension Pushcote {
    /// A JSON value, written as a literal and read by name: `["aps": ["badge": 3]]`, `notification.payload.aps.badge == 3`.
    @dynamicMemberLookup
    public struct JSON: Hashable, Sendable, CustomStringConvertible {
        let value: JSONValue

        init(_ value: JSONValue) { self.value = value }

        /// A value that is not a literal, such as a payload's `Codable` structure.
        /// - Throws: What the value's own encoding throws.
        public init(encoding value: some Encodable) throws { self.value = try JSONValue(encoding: value) }

        /// A text that is not a literal.
        public init(_ text: String) { value = .string(text) }

        /// A number that is not a literal.
        public init(_ number: Int) { value = .integer(number) }

        /// The member with a name; nil, which is null, if there is none.
        public subscript(name: String) -> JSON { JSON(value[name] ?? .null) }

        /// The member with a name; null if there is none.
        public subscript(dynamicMember name: String) -> JSON { self[name] }

        /// The elements of a list; otherwise none.
        public var elements: [JSON] { value.elements.map { JSON($0) } }

        /// The text; nil for another value.
        public var string: String? { value.string }

        /// A text as it is, another value as JSON.
        public var description: String { string ?? value.text }

        /// The whole number; nil for another value.
        public var int: Int? { if case .integer(let number) = value { number } else { nil } }
    }
}

extension Pushcote.JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral text: String) { value = .string(text) }
    public init(integerLiteral number: Int) { value = .integer(number) }
    public init(floatLiteral number: Double) { value = .number(number) }
    public init(booleanLiteral flag: Bool) { value = .bool(flag) }
    public init(nilLiteral: ()) { value = .null }
    public init(arrayLiteral elements: Self...) { value = .array(elements.map(\.value)) }
    public init(dictionaryLiteral members: (String, Self)...) {
        value = .object(JSONObject(members.map { ($0.0, $0.1.value) }))
    }
}
