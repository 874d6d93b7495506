internal import Fields
internal import HTTPTypes
internal import HummingbirdCore

/// A route, and what `openapi.yaml` says about it: OpenAPITests records the paths of that file from it.
struct Endpoint: Sendable {
    let method: HTTPRequest.Method
    /// With parameters in braces; for `/devices/{name}`, `openapi.yaml` has the component `devices.name`.
    private(set) var path: String { didSet { parts = path.split(separator: "/") } }
    fileprivate private(set) var parts: [Substring]
    let tag: Tag
    let summary: String
    /// The operation's identifier; at the root, operations have none.
    let id: String?
    let about: String?
    let body: Body?
    let answers: [Answer]
    /// The statuses of errors besides those that its method and its access bring.
    let ownErrors: [Int]
    /// Names of components, too: `limit`, or `connections.limit` if only the operation `connections` has this one.
    let query: [String]
    /// Requires no token.
    let isOpen: Bool
    let answer: @Sendable (AdminRequest) async throws -> Response

    init(
        _ method: HTTPRequest.Method, _ path: String, _ tag: Tag, _ summary: String, id: String? = nil,
        about: String? = nil, body: Body? = nil, answers: [Answer], errors: [Int] = [], query: [String] = [],
        isOpen: Bool = false, _ answer: @escaping @Sendable (AdminRequest) async throws -> Response
    ) {
        (self.method, self.path, parts) = (method, path, path.split(separator: "/"))
        (self.tag, self.summary, self.id, self.about) = (tag, summary, id, about)
        (self.body, self.answers, ownErrors) = (body, answers, errors)
        self.query = query
        self.isOpen = isOpen
        self.answer = answer
    }

    /// With one answer, whose schema is its type's.
    init<Value: APIShape>(
        _ method: HTTPRequest.Method, _ path: String, _ tag: Tag, _ summary: String, id: String, about: String? = nil,
        body: Body? = nil, answer: String, status: HTTPResponse.Status = .ok, errors: [Int] = [], query: [String] = [],
        _ value: @escaping @Sendable (AdminRequest) async throws -> Value
    ) {
        self.init(
            method, path, tag, summary, id: id, about: about, body: body,
            answers: [Answer(status.code, answer, .of(Value.self))], errors: errors, query: query
        ) { Response(try await value($0), status: status) }
    }

    /// Statuses of all errors: those of `AdminResponder`, of reading query and body, and its own.
    var errors: [Int] {
        let shared = [400, 403, 500] + (isOpen ? [] : [401, 429, 503])
        let ofBody = method == .get ? [] : method == .delete ? [415] : [413, 415]
        return Set(shared + ofBody + ownErrors).sorted()
    }

    static let base = "/api/v1"
    fileprivate static let baseParts = base.split(separator: "/")

    /// Without the version, which the paths of health and metrics may omit.
    static func unversioned(_ path: String) -> String {
        path == base ? "/" : path.hasPrefix(base + "/") ? String(path.dropFirst(base.count)) : path
    }

    var versioned: Endpoint {
        var endpoint = self
        endpoint.path = path == "/" ? Self.base : Self.base + path
        return endpoint
    }

    fileprivate var parameterCount: Int { parts.count { $0.hasPrefix("{") } }

    fileprivate func matches(_ given: [Substring]) -> Bool {
        zip(parts, given).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}

extension [Endpoint] {
    /// `POST /devices/generate` has an endpoint of its own, `PUT /devices/generate` is about a device of that name.
    func endpoint(of method: HTTPRequest.Method) -> Endpoint? {
        first { $0.method == method } ?? (method == .head ? first { $0.method == .get } : nil)
    }
}

struct EndpointTable: Sendable {
    let endpoints: [Endpoint]
    /// By the number of their path's parts; among them, those with fewer parameters first.
    private let ordered: [Int: [Endpoint]]

    init(endpoints: [Endpoint]) {
        self.endpoints = endpoints
        let sorted = endpoints.sorted { $0.parameterCount < $1.parameterCount }
        ordered = Dictionary(grouping: sorted) { $0.parts.count }
    }

    /// Of all methods, those with fewer parameters first.
    func endpoints(at path: String) -> [Endpoint] {
        let parts = path.split(separator: "/")
        return (ordered[parts.count] ?? []).filter { $0.matches(parts) }
    }

    /// Matching skips empty parts, so `/faults/$NAME` with an unset variable would be all faults.
    func checkParts(of path: String) throws(AdminError) {
        guard path != "/", path.hasSuffix("/") || path.contains("//") else { return }
        throw nothing(at: path, ": a part of the path is empty")
    }

    /// Suggests the methods that there are, or the nearest paths.
    func problem(method: HTTPRequest.Method, path: String) -> AdminError {
        let found = endpoints(at: path)
        guard let endpoint = found.first else { return nothing(at: path) }
        let methods = Set(found.map(\.method.rawValue))
        let creation = endpoints.first { $0.method == .put && $0.path.hasPrefix("\(endpoint.path)/{") }
        return .methodNotAllowed(
            method, accepted: methods.union(methods.contains("GET") ? ["HEAD"] : []).sorted(),
            creation: method == .post ? creation?.path : nil)
    }

    private func nothing(at path: String, _ why: String = "") -> AdminError {
        let shown = path.prefix(100)
        let start = "There is nothing at '\(shown)'"
        guard !["/3/", "/4/", "/1/apps/"].contains(where: path.hasPrefix) else {
            return .notFound(
                "\(start): pushes go to the provider API, whose addresses GET \(Endpoint.base)/info lists.")
        }
        return .notFound("\(start)\(why). Similar paths: \(nearest(to: shown).joined(separator: ", ")).")
    }

    private func nearest(to path: Substring) -> [String] {
        let given = Self.significant(path.split(separator: "/")).prefix(Self.comparedPartCount)
        let candidates = Dictionary(endpoints.map { ($0.path, $0.parts) }) { first, _ in first }
        let scored = candidates.map { path, parts in
            (path: path, distance: Self.distance(Self.significant(parts), given))
        }
        return scored.sorted { ($0.distance, $0.path) < ($1.distance, $1.path) }.prefix(3).map(\.path)
    }

    private static let comparedPartCount = 8

    /// Without the base, whose lack or repetition is the likeliest mistake.
    private static func significant(_ parts: [Substring]) -> ArraySlice<Substring> {
        parts.drop { Endpoint.baseParts.contains($0) }
    }

    /// Edit distance, part by part: a parameter stands for anything, but costs a little; a missing or extra part costs its
    /// length.
    private static func distance(_ template: ArraySlice<Substring>, _ given: ArraySlice<Substring>) -> Int {
        var distances = given.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        for part in template {
            let isParameter = part.hasPrefix("{")
            let missing = isParameter ? 4 : part.count
            var next = [distances[0] + missing]
            for (index, name) in given.enumerated() {
                let changed = isParameter ? 1 : NearestName.distance(part, name.prefix(100))
                next.append(
                    min(distances[index] + changed, distances[index + 1] + missing, next[index] + name.count))
            }
            distances = next
        }
        return distances[given.count]
    }
}

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
