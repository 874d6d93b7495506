internal import DeviceModel
internal import Fields
internal import Hummingbird

/// A method on a path, what it may be asked with, and who answers.
struct Endpoint: Sendable {
    let method: HTTPRequest.Method
    /// The path with its parameters in braces.
    let path: String
    /// The query parameters that are understood.
    let query: [String]
    /// Whether no token is needed.
    let isOpen: Bool
    let answer: @Sendable (AdminRequest) async throws -> Response

    /// - Parameter path: Below `/api/v1`, unless `isRooted`.
    init(
        _ method: HTTPRequest.Method, _ path: String, query: [String] = [], isOpen: Bool = false,
        isRooted: Bool = false,
        _ answer: @escaping @Sendable (AdminRequest) async throws -> Response
    ) {
        self.method = method
        self.path = isRooted ? path : Self.base + path
        self.query = query
        self.isOpen = isOpen
        self.answer = answer
    }

    static let base = "/api/v1"

    /// The same at the root, where probes and downloads look for it.
    var atRoot: Endpoint {
        Endpoint(
            method, String(path.dropFirst(Self.base.count)), query: query, isOpen: isOpen, isRooted: true, answer)
    }

    /// The path as Hummingbird's router writes it.
    var routerPath: RouterPath {
        RouterPath(
            path.split(separator: "/").map { part in
                part.hasPrefix("{") ? ":" + part.dropFirst().dropLast() : String(part)
            }.joined(separator: "/"))
    }

    /// Whether a request's path is one of this endpoint's.
    func matches(_ path: some StringProtocol) -> Bool {
        let wanted = self.path.split(separator: "/")
        let given = path.split(separator: "/")
        return wanted.count == given.count && zip(wanted, given).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}

/// All endpoints, and what is said when none of them fits.
struct EndpointTable: Sendable {
    let endpoints: [Endpoint]

    /// Whether a path is answered without a token.
    func isOpen(_ path: String) -> Bool { endpoints.contains { $0.isOpen && $0.matches(path) } }

    /// Why no endpoint answers a request.
    func problem(method: HTTPRequest.Method, path: String) -> AdminError {
        let methods = endpoints.filter { $0.matches(path) }.map(\.method.rawValue)
        guard methods.isEmpty else {
            let allowed = methods.contains("GET") ? methods + ["HEAD"] : methods
            return .methodNotAllowed(allowed: allowed.sorted())
        }
        let shown = path.prefix(100)
        let suggestions = nearest(to: String(shown))
        return .notFound("There is nothing at '\(shown)'. Similar paths: \(suggestions.joined(separator: ", ")).")
    }

    /// The three paths that are most like a path.
    private func nearest(to path: String) -> [String] {
        let given = path.split(separator: "/").map(String.init)
        // Who knows nothing yet is best told where everything is.
        if given.isEmpty { return ["/openapi.yaml", "/livez", "/api/v1/info"] }
        let paths = Set(endpoints.map(\.path)).sorted()
        let scored = paths.map { candidate in (path: candidate, distance: Self.distance(candidate, given)) }
        return scored.sorted { ($0.distance, $0.path) < ($1.distance, $1.path) }.prefix(3).map(\.path)
    }

    /// Letters to change, part by part; a parameter costs nothing, a part too few or too many its length.
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
        // Leaving out /api/v1 is the likeliest mistake, so it is the cheapest.
        return min(distance(parts, given), distance(parts, base + given) + 1)
    }
}
