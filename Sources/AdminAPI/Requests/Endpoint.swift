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
