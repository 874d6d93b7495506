internal import HTTPTypes
internal import Hummingbird

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
