internal import Hummingbird

/// Keeps web pages out: neither a foreign name that resolves to loopback (DNS rebinding) nor a foreign page may ask.
struct HostMiddleware: RouterMiddleware {
    let allowedHosts: Set<String>

    func handle(
        _ request: Request, context: AdminContext, next: (Request, AdminContext) async throws -> Response
    ) async throws -> Response {
        let authority = request.head.authority ?? ""
        // Only browsers can be misled, and they always send Host.
        if context.isLoopback, !authority.isEmpty { try check(host: Self.name(of: authority)) }
        if let origin = request.headers[.origin] { try check(origin: origin, authority: authority) }
        return try await next(request, context)
    }

    private func check(host: String) throws(AdminError) {
        guard !["localhost", "127.0.0.1", "[::1]"].contains(host), !allowedHosts.contains(host) else { return }
        throw .forbidden(
            "On loopback, Host must be localhost, 127.0.0.1 or [::1], not '\(host.prefix(100))'. Add the name to "
                + "`admin.allowedHosts` if it is yours.")
    }

    private func check(origin: String, authority: String) throws(AdminError) {
        let parts = origin.lowercased().split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == authority.lowercased() else {
            throw .forbidden("Web pages of another origin ('\(origin.prefix(100))') may not use this API.")
        }
    }

    /// The host without its port, in lower case.
    private static func name(of authority: String) -> String {
        let lower = authority.lowercased()
        if lower.hasPrefix("["), let end = lower.firstIndex(of: "]") { return String(lower[...end]) }
        let name = lower.prefix { $0 != ":" }
        return String(name.hasSuffix(".") ? name.dropLast() : name)
    }
}
