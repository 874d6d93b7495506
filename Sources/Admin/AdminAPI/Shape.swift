/// What a type does not say about its schema in `openapi.yaml`.
package struct Shape: Sendable {
    /// By default that of the type without `Answer`.
    package let name: String?
    package let about: String?
    package let members: [String: Member]

    init(name: String? = nil, about: String? = nil, _ members: [String: Member] = [:]) {
        (self.name, self.about, self.members) = (name, about, members)
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

        private init(_ about: String?, type: String? = nil, limits: String? = nil) {
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
