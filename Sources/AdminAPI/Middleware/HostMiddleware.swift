internal import Hummingbird

/// Keeps web pages out: neither a foreign name that resolves to this machine (DNS rebinding) nor a foreign page may ask.
///
/// A name without a dot, such as `localhost` or a compose service's, and an address cannot be anybody else's.
struct HostMiddleware: RouterMiddleware {
    let allowedHosts: Set<String>

    func handle(
        _ request: Request, context: AdminContext, next: (Request, AdminContext) async throws -> Response
    ) async throws -> Response {
        let authority = request.head.authority ?? ""
        try check(host: Self.name(of: authority))
        if let origin = request.headers[.origin] { try check(origin: origin, authority: authority) }
        return try await next(request, context)
    }

    private func check(host: String) throws(AdminError) {
        guard host.contains("."), !Self.isAddress(host), !allowedHosts.contains(host) else { return }
        throw .forbidden(
            "Host must be an address or a name without dots, such as localhost, not '\(host.prefix(100))'. Add the name to "
                + "`admin.allowedHosts` if it is yours.")
    }

    /// Four decimal numbers, or brackets: no name looks like either (RFC 3986 §3.2.2).
    private static func isAddress(_ host: String) -> Bool {
        host.hasPrefix("[")
            || host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { UInt8($0) != nil }
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
