internal import Hummingbird
internal import TLSEngine

/// Demands the bearer token, but for what a client needs before it can have one.
struct TokenMiddleware: RouterMiddleware {
    private let digest: [UInt8]
    private let table: EndpointTable

    init(token: String, table: EndpointTable) {
        digest = Self.digest(token)
        self.table = table
    }

    func handle(
        _ request: Request, context: AdminContext, next: (Request, AdminContext) async throws -> Response
    ) async throws -> Response {
        if !table.isOpen(request.uri.path) { try check(request.headers[.authorization]) }
        return try await next(request, context)
    }

    private func check(_ header: String?) throws(AdminError) {
        let parts = (header ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw .unauthorized }
        // Digests have one length, so that the token's is not told either.
        guard ConstantTime.equals(Self.digest(String(parts[1])), digest) else { throw .unauthorized }
    }

    private static func digest(_ text: String) -> [UInt8] { SHA256.digest(Array(text.utf8).span.bytes) }
}
