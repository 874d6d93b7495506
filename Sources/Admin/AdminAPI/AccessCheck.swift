internal import Fields
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import TLSEngine

/// Rejects requests that web pages of other sites send through the user's browser: by DNS rebinding (a foreign name
/// that resolves to this machine), from another origin, or without a preflight (Fetch, CORS protocol).
///
/// Most browsers send the origin in `Sec-Fetch-Site`, and for POST in `Origin`. Older ones are recognized by
/// `User-Agent` and may not send a form's content types. Other clients may: `curl -d` sends one.
struct WebPageCheck: Sendable {
    private let allowedHosts: Set<String>

    init(allowedHosts: Set<String>) {
        self.allowedHosts = Set(allowedHosts.map { $0.lowercased() })
    }

    func check(_ request: Request) throws(AdminError) {
        if request.method == .connect {
            throw .badRequest("The admin API is no proxy; a client's proxy is the address of `listen.proxy`.")
        }
        let authority = (request.head.authority ?? "").lowercased()
        try check(host: Self.host(of: authority))
        if let origin = request.headers[.origin] { try check(origin: origin, authority: authority) }
        try checkSite(request)
        try checkForm(request)
    }

    /// An attacker cannot own an address or a name without a dot, such as `localhost` or a compose service.
    private func check(host: String) throws(AdminError) {
        guard host.contains("."), !Self.isAddress(host), !allowedHosts.contains(host) else { return }
        throw .forbidden(
            "Host must be an address or a name without dots, such as localhost, not '\(host.prefix(100))'. Add the name to "
                + "`admin.allowedHosts` if it is yours.")
    }

    /// Four decimal numbers, or brackets; no name has either form (RFC 3986 §3.2.2).
    private static func isAddress(_ host: String) -> Bool {
        host.hasPrefix("[")
            || host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { UInt8($0) != nil }
    }

    static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
        let name = authority.prefix { $0 != ":" }
        return String(name.hasSuffix(".") ? name.dropLast() : name)
    }

    private func check(origin: String, authority: String) throws(AdminError) {
        let parts = origin.lowercased().split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == authority else {
            throw .forbidden("Web pages of another origin ('\(origin.prefix(100))') may not use this API.")
        }
    }

    /// Allows a link from another site: that site cannot read the response.
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
        guard type == nil || type == "application/json" else { throw .unsupportedMediaType }
    }

    private static func isReading(_ request: Request) -> Bool { request.method == .get || request.method == .head }

    private static func isBrowser(_ request: Request) -> Bool {
        // Browsers never send `Sec-Fetch-Mode` without the site; Node's fetch does.
        let signs: [HTTPField.Name] = [.fetchSite, .fetchDestination, .origin, .referer]
        return signs.contains { request.headers[$0] != nil }
            || request.headers[.userAgent]?.lowercased().hasPrefix("mozilla/") == true
    }
}

extension WebPageCheck {
    /// Whether a browser marks a checked request as the gateway's own page's or its user's.
    static func isOwnPage(_ request: Request) -> Bool {
        guard let site = request.headers[.fetchSite]?.lowercased() else {
            // Older browsers; `check` has compared it with the authority.
            return request.headers[.origin] != nil
        }
        return site == "same-origin" || site == "none"
    }
}

extension HTTPField.Name {
    fileprivate static let fetchSite = named("sec-fetch-site")
    fileprivate static let fetchMode = named("sec-fetch-mode")
    fileprivate static let fetchDestination = named("sec-fetch-dest")

    /// - Parameter text: Must be a valid name.
    static func named(_ text: String) -> Self {
        guard let name = Self(text) else { preconditionFailure("'\(text)' is a field's name") }
        return name
    }
}

/// Demands the configured token, or a session that a browser opened with it.
struct TokenCheck: Sendable {
    private let digest: [UInt8]
    private let sessions: SessionTable
    private let wrongTokens: WrongTokens

    init(_ token: String, now: @escaping @Sendable () -> ContinuousClock.Instant, _ logger: Logger) {
        digest = SHA256.digest(of: token)
        sessions = SessionTable(now: now)
        wrongTokens = WrongTokens(now: now, logger)
    }

    func check(_ request: Request) throws(AdminError) {
        guard let authorization = request.headers[.authorization] else { return try checkSession(request) }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw .unauthorized }
        guard isRight(String(parts[1])) else { throw wrongTokens.rejection() }
    }

    private func checkSession(_ request: Request) throws(AdminError) {
        guard SessionCookie.values(in: request).contains(where: sessions.contains) else { throw .unauthorized }
        guard WebPageCheck.isOwnPage(request) else { throw .unmarkedSession }
    }

    // Digests have equal length, so the comparison does not reveal the token's length.
    private func isRight(_ token: String) -> Bool { ConstantTime.equals(SHA256.digest(of: token), digest) }

    /// - Returns: The cookie to set.
    func logIn(_ request: Request, token: String) throws(AdminError) -> String {
        guard isRight(token) else { throw wrongTokens.rejection() }
        return SessionCookie.text(for: request, value: sessions.open(), lifetime: SessionTable.lifetime)
    }

    /// - Returns: The cookie to set, which removes it.
    func logOut(_ request: Request) -> String {
        for value in SessionCookie.values(in: request) { sessions.close(value) }
        return SessionCookie.text(for: request, value: "", lifetime: .zero)
    }
}

/// A cookie that is named after the port, because browsers send cookies to every port of a host.
enum SessionCookie {
    static func name(for request: Request) -> String {
        "pushcote_\(HostPort(request.head.authority ?? "", defaultPort: 80)?.port ?? 80)"
    }

    static func values(in request: Request) -> [String] {
        let prefix = name(for: request) + "="
        let cookies = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
        return cookies.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }
    }

    static func text(for request: Request, value: String, lifetime: Duration) -> String {
        "\(name(for: request))=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(lifetime.components.seconds)"
    }
}
