package import JSON

/// What an answer says, or a part of it; `pushcote` decodes what the gateway encodes. A test holds `openapi.yaml` against it.
package protocol APIShape: Codable, Sendable {}

extension JSONValue: APIShape {}

/// One object with the members of two shapes.
@dynamicMemberLookup
package struct Joined<First: APIShape, Second: APIShape>: APIShape {
    package var first: First
    package var second: Second

    init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    package init(from decoder: any Decoder) throws {
        first = try First(from: decoder)
        second = try Second(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try first.encode(to: encoder)
        try second.encode(to: encoder)
    }

    package subscript<Value>(dynamicMember member: KeyPath<First, Value>) -> Value { first[keyPath: member] }
    package subscript<Value>(dynamicMember member: KeyPath<Second, Value>) -> Value { second[keyPath: member] }
}

/// How many there were.
package struct RemovedAnswer: APIShape {
    package var removed: Int
}

/// Every refusal.
package struct ErrorAnswer: APIShape {
    package var error: String
    package var status: Int
}

extension String {
    /// `nil` for an empty text, which leaves the member out.
    var ifAny: String? { isEmpty ? nil : self }
}
