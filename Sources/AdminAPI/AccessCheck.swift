internal import HTTPTypes
internal import Hummingbird
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
        let signs: [HTTPField.Name] = [.fetchSite, .fetchMode, .fetchDestination, .origin, .referer]
        return signs.contains { request.headers[$0] != nil }
            || request.headers[.userAgent]?.lowercased().hasPrefix("mozilla/") == true
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

struct TokenCheck: Sendable {
    private let digest: [UInt8]

    init(_ token: String) { digest = Self.digest(token) }

    func check(_ request: Request) throws(AdminError) {
        let parts = (request.headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw .unauthorized }
        // Digests have equal length, so the comparison does not reveal the token's length.
        guard ConstantTime.equals(Self.digest(String(parts[1])), digest) else { throw .unauthorized }
    }

    private static func digest(_ text: String) -> [UInt8] { SHA256.digest(Array(text.utf8).span.bytes) }
}
