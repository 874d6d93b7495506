extension Endpoint {
    /// The noun under which `openapi.yaml` lists an operation.
    enum Tag: String {
        case activities, apps, channels, clock, connections, devices, documents, events, faults, health, keys, lint
        case notifications, recordings, requests, session, snippets, state, webhooks
    }

    struct Body: Sendable {
        var schema: String?
        var isRequired = false
        var about: String?
        var types = ["application/json"]

        static func required(_ schema: String) -> Self { Self(schema: schema, isRequired: true) }

        static func optional(_ schema: String) -> Self { Self(schema: schema) }

        /// Anything of these types.
        static func any(_ about: String, as types: [String]) -> Self { Self(about: about, types: types) }
    }

    /// The schema of JSON: a type's, or that of a table or the hand-written part.
    enum Schema: Sendable, ExpressibleByStringLiteral {
        case of(any APIShape.Type)
        case named(String)

        init(stringLiteral name: String) { self = .named(name) }
    }

    /// An answer that is not an error.
    struct Answer: Sendable {
        var status: Int
        var about: String
        var schema: Schema?
        var types: [String]
        /// The response of the hand-written part that stands for it.
        var component: String?

        init(_ status: Int, _ about: String, _ schema: Schema? = nil, as types: [String] = ["application/json"]) {
            (self.status, self.about, self.schema, self.types) = (status, about, schema, types)
        }

        static func ok(_ about: String, _ schema: Schema? = nil, as types: [String] = ["application/json"]) -> Self {
            Self(200, about, schema, as: types)
        }

        static func created(_ about: String, _ schema: Schema) -> Self { Self(201, about, schema) }

        static func unmodified(_ about: String) -> Self { Self(304, about, as: []) }

        static func shared(_ component: String) -> Self {
            var answer = ok("", as: [])
            answer.component = component
            return answer
        }

        static let removed = ok("How many were removed; 0 is not an error.", .of(RemovedAnswer.self))
        static let certificates = ok("Certificates.", as: ["application/x-pem-file"])
        static let picture = ok(
            "An SVG of at most 64 KB, besides at most four images within it. It has no script and loads nothing.",
            as: ["image/svg+xml"])
        static let mockDone = ok("Done; the body is empty.", as: ["text/plain"])
    }
}
