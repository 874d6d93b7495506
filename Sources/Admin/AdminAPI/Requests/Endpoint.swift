internal import Fields
internal import Hummingbird

/// A route, and what `openapi.yaml` says about it: OpenAPITests records the paths of that file from it.
struct Endpoint: Sendable {
    let method: HTTPRequest.Method
    /// With parameters in braces; for `/devices/{name}`, `openapi.yaml` has the component `devices.name`.
    private(set) var path: String { didSet { parts = path.split(separator: "/") } }
    private var parts: [Substring]
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

    /// Statuses of all errors: those of `AdminMiddleware`, of reading query and body, and its own.
    var errors: [Int] {
        let shared = [400, 403, 500] + (isOpen ? [] : [401, 429, 503])
        let ofBody = method == .get ? [] : method == .delete ? [415] : [413, 415]
        return Set(shared + ofBody + ownErrors).sorted()
    }

    static let base = "/api/v1"

    /// Without the version, which the paths of health and metrics may omit.
    static func unversioned(_ path: String) -> String {
        path == base ? "/" : path.hasPrefix(base + "/") ? String(path.dropFirst(base.count)) : path
    }

    var versioned: Endpoint {
        var endpoint = self
        endpoint.path = path == "/" ? Self.base : Self.base + path
        return endpoint
    }

    func matches(_ path: String) -> Bool { matches(path.split(separator: "/")) }

    fileprivate func matches(_ given: [Substring]) -> Bool {
        parts.count == given.count && zip(parts, given).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}

struct EndpointTable: Sendable {
    let endpoints: [Endpoint]

    /// The endpoints by path. The router prefers a path without parameters, so such a path also has the other methods of
    /// a path that it matches: `PUT /devices/generate` is about a device of that name.
    var routes: [(path: String, endpoint: Endpoint)] {
        let literal = Set(endpoints.map(\.path).filter { !$0.contains("{") })
        let others = literal.flatMap { path in
            let parts = path.split(separator: "/")
            return endpoints.filter { other in
                other.matches(parts) && other.path != path
                    && !endpoints.contains { $0.path == path && $0.method == other.method }
            }.map { (path, $0) }
        }
        return endpoints.map { ($0.path, $0) } + others
    }

    func isOpen(_ path: String) -> Bool { endpoints.contains { $0.isOpen && $0.matches(path) } }

    /// The router skips empty parts, so `/faults/$NAME` with an unset variable would be all faults.
    func checkParts(of path: String) throws(AdminError) {
        guard path != "/", path.hasSuffix("/") || path.contains("//") else { return }
        throw nothing(at: path, ": a part of the path is empty")
    }

    /// Suggests the nearest paths.
    func problem(method: HTTPRequest.Method, path: String) -> AdminError {
        let exact = endpoints.filter { $0.path == path }
        let methods = (exact.isEmpty ? endpoints.filter { $0.matches(path) } : exact).map(\.method.rawValue)
        guard methods.isEmpty else {
            return .methodNotAllowed((methods.contains("GET") ? methods + ["HEAD"] : methods).sorted())
        }
        return nothing(at: path)
    }

    private func nothing(at path: String, _ why: String = "") -> AdminError {
        let shown = path.prefix(100)
        let suggestions = nearest(to: String(shown))
        return .notFound("There is nothing at '\(shown)'\(why). Similar paths: \(suggestions.joined(separator: ", ")).")
    }

    private func nearest(to path: String) -> [String] {
        let given = path.split(separator: "/").map(String.init)
        let paths = Set(endpoints.map(\.path)).sorted()
        let scored = paths.map { candidate in (path: candidate, distance: Self.distance(candidate, given)) }
        return scored.sorted { ($0.distance, $0.path) < ($1.distance, $1.path) }.prefix(3).map(\.path)
    }

    /// Edit distance, part by part; a parameter costs nothing, a missing or extra part its length.
    private static func distance(_ template: String, _ given: [String]) -> Int {
        func distance(_ parts: [String], _ given: [String]) -> Int {
            let common = min(parts.count, given.count)
            let changed = zip(parts, given).reduce(0) {
                $0 + ($1.0.hasPrefix("{") ? 0 : NearestName.distance($1.0.prefix(100), $1.1.prefix(100)))
            }
            return changed + (parts[common...] + given[common...]).reduce(0) { $0 + $1.count }
        }
        let parts = template.split(separator: "/").map(String.init)
        let base = Endpoint.base.split(separator: "/").map(String.init)
        // A missing /api/v1 is the likeliest mistake, so it costs least.
        return min(distance(parts, given), distance(parts, base + given) + 1)
    }
}
