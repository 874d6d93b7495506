internal import HTTPTypes
internal import Hummingbird
internal import TLSEngine

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

/// Keeps web pages of other sites from changing anything: what a page may send without asking (Fetch, CORS protocol), a
/// browser sends with the user's network.
///
/// Browsers tell where a request comes from: all but old ones in `Sec-Fetch-Site`, for POST in `Origin`. Old ones are known
/// by what they call themselves, and by the three content types that a form can have. Other clients may call JSON what they
/// like: `curl -d` calls it a form.
struct CrossSiteMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: AdminContext, next: (Request, AdminContext) async throws -> Response
    ) async throws -> Response {
        try checkSite(request)
        try checkForm(request)
        return try await next(request, context)
    }

    /// A link may be followed from anywhere, as the page behind it cannot see what is there; nothing else may.
    private func checkSite(_ request: Request) throws(AdminError) {
        guard let site = request.headers[.fetchSite]?.lowercased(), site != "same-origin", site != "none" else {
            return
        }
        let isLink =
            Self.isReading(request) && request.headers[.fetchMode]?.lowercased() == "navigate"
            && request.headers[.fetchDestination]?.lowercased() == "document"
        guard !isLink else { return }
        throw .forbidden("Web pages of another site may not use this API.")
    }

    private func checkForm(_ request: Request) throws(AdminError) {
        guard !Self.isReading(request), Self.isBrowser(request) else { return }
        let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == nil || type == "application/json" else {
            throw .unsupportedMediaType
        }
    }

    private static func isReading(_ request: Request) -> Bool { request.method == .get || request.method == .head }

    private static func isBrowser(_ request: Request) -> Bool {
        let signs: [HTTPField.Name] = [.fetchSite, .fetchMode, .fetchDestination, .origin, .referer]
        return signs.contains { request.headers[$0] != nil }
            || request.headers[.userAgent]?.lowercased().hasPrefix("mozilla/") == true
    }
}

extension HTTPField.Name {
    fileprivate static let fetchSite = named("sec-fetch-site")
    fileprivate static let fetchMode = named("sec-fetch-mode")
    fileprivate static let fetchDestination = named("sec-fetch-dest")

    private static func named(_ text: String) -> Self {
        guard let name = Self(text) else { preconditionFailure("'\(text)' is a field's name") }
        return name
    }
}

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
