package import JSON

/// A response or a part of one. OpenAPITests records its schema, for which it is `Decodable`: the gateway only encodes it.
package protocol APIShape: Codable, Sendable {
    static var shape: Shape { get }
}

extension APIShape {
    package static var shape: Shape { Shape() }
}

extension JSONValue: APIShape {}

/// One object with the members of two shapes.
package struct Joined<First: APIShape, Second: APIShape>: APIShape {
    let first: First
    let second: Second

    init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    package func encode(to encoder: any Encoder) throws {
        try first.encode(to: encoder)
        try second.encode(to: encoder)
    }

    /// What the second says goes before.
    package static var shape: Shape {
        Shape(
            name: Second.shape.name ?? First.shape.name, about: Second.shape.about ?? First.shape.about,
            First.shape.members.merging(Second.shape.members) { $1 })
    }
}

/// An answer that a table makes of a stored value: a row for each member.
protocol AnswerTable: APIShape {
    associatedtype Source: Sendable
    var source: Source { get }
    init(source: Source)
    /// In the order of the answer.
    static var rows: [Row<Source>] { get }
}

extension AnswerTable {
    init(_ source: Source) { self.init(source: source) }

    static var shape: Shape { Shape(of: rows) }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: JSONKey.self)
        for row in Self.rows {
            if let value = row.value(source) { try members.encode(value, forKey: .member(row.name)) }
        }
    }

    /// One member, without computing the others; nil if it is absent.
    func member(_ name: String) -> JSONValue? {
        Self.rows.first { $0.name == name }?.value(source).map { JSONValue(answer: $0) }
    }

    /// See `APIShape`.
    init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "answers are not read"))
    }
}

/// A member of an answer: its value, and what the value's type does not say about its schema.
struct Row<Source>: Sendable {
    let name: String
    let type: any (Decodable & Sendable).Type
    let isRequired: Bool
    let schema: Shape.Member
    let value: @Sendable (Source) -> (any Encodable)?

    init<Value: Codable & Sendable>(
        _ name: String, _ value: @escaping @Sendable (Source) -> Value, _ schema: Shape.Member = .init()
    ) {
        (self.name, self.schema, type, isRequired) = (name, schema, Value.self, true)
        self.value = { value($0) }
    }

    /// Absent without a value.
    init<Value: Codable & Sendable>(
        _ name: String, _ value: @escaping @Sendable (Source) -> Value?, _ schema: Shape.Member = .init()
    ) {
        (self.name, self.schema, type, isRequired) = (name, schema, Value.self, false)
        self.value = { value($0) }
    }
}

/// What a type does not say about its schema in `openapi.yaml`.
package struct Shape: Sendable {
    /// By default that of the type without `Answer`.
    package let name: String?
    package let about: String?
    package let members: [String: Member]

    init(name: String? = nil, about: String? = nil, _ members: [String: Member] = [:]) {
        (self.name, self.about, self.members) = (name, about, members)
    }

    /// - Parameter others: Members that the rows' answer is joined to.
    init<Source>(
        name: String? = nil, about: String? = nil, of rows: [Row<Source>], besides others: [String: Member] = [:]
    ) {
        self.init(name: name, about: about, rows.reduce(into: others) { $0[$1.name] = $1.schema })
    }

    /// A text is a member's description. Schemas are in YAML's flow style, without braces.
    package struct Member: Sendable, ExpressibleByStringLiteral {
        package var about: String?
        /// Instead of what the Swift type says.
        package var type: String?
        /// Besides that.
        package var limits: String?
        /// Whether every answer has it, although an optional holds it.
        package var isRequired = false

        package init(stringLiteral about: String) { self.about = about }

        init(_ about: String? = nil, type: String? = nil, limits: String? = nil) {
            (self.about, self.type, self.limits) = (about, type, limits)
        }

        static func about(_ about: String) -> Self { Self(about) }

        static func type(_ type: String, _ about: String? = nil) -> Self { Self(about, type: type) }

        static func with(_ limits: String, _ about: String? = nil) -> Self { Self(about, limits: limits) }

        static func filled(_ about: String? = nil) -> Self { with("minLength: 1", about) }

        static func positive(_ about: String? = nil) -> Self { type("type: integer, minimum: 1", about) }

        static func words(_ words: String, _ about: String? = nil) -> Self { type("enum: [\(words)]", about) }

        static func ref(_ name: String, _ about: String? = nil) -> Self { type(reference(to: name), about) }

        static func list(_ name: String, _ about: String? = nil) -> Self {
            type("type: array, items: {\(reference(to: name))}", about)
        }

        package static func reference(to name: String) -> String { "$ref: \"#/components/schemas/\(name)\"" }

        var always: Self {
            var member = self
            member.isRequired = true
            return member
        }
    }
}
