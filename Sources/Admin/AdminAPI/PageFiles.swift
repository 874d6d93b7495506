internal import CDocuments
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The page: the files of `Page`, which are part of the program. They contain no state, so they need no token.
struct PageFiles: Sendable {
    /// By path, such as `/app.js`; hashed when a browser first asks, not at every start.
    private static let files = Dictionary(
        uniqueKeysWithValues: embedded.map { ("/" + $0.name, PageFile($0.name, $0.bytes)) })

    /// Browsers get the page at these addresses and below, and at `/`.
    static let views: Set<Substring> = [
        "notifications", "requests", "devices", "apps", "channels", "webhooks", "recordings", "timeline", "send",
        "lint", "hygiene", "clock", "faults", "connections", "setup",
    ]

    /// - Returns: `nil` if the path is not the page's.
    func answer(_ request: Request) -> Response? {
        guard request.method == .get || request.method == .head, let file = file(for: request) else { return nil }
        return file.response(to: request)
    }

    private func file(for request: Request) -> PageFile? {
        let path = request.uri.path
        if let file = Self.files[path] { return file }
        let noun = path.dropFirst().prefix { $0 != "/" }
        guard path == "/" || Self.views.contains(noun) else { return nil }
        // For other programs, `/devices` is an error that names the missing `/api/v1`.
        return Self.isBrowser(request) ? Self.files["/index.html"] : nil
    }

    /// The page with the status 404, which says that there is nothing.
    ///
    /// - Returns: `nil` for other programs than browsers, and below `/api` and `/mock`: they get the error as JSON.
    func answerToUnknownAddress(_ request: Request) -> Response? {
        let noun = request.uri.path.dropFirst().prefix { $0 != "/" }
        guard request.method == .get, Self.isBrowser(request), noun != "api", noun != "mock" else { return nil }
        return Self.files["/index.html"]?.notFound
    }

    private static func isBrowser(_ request: Request) -> Bool {
        request.headers[.accept]?.lowercased().contains("text/html") == true
    }

    static var embedded: [(name: String, bytes: [UInt8])] {
        var files: [(String, [UInt8])] = []
        guard var file = documents_page() else { return [] }
        while let name = file.pointee.name, let text = file.pointee.text {
            files.append((String(cString: name), Array(String(cString: text).utf8)))
            file += 1
        }
        return files
    }
}

private struct PageFile: Sendable {
    let bytes: [UInt8]
    let headers: HTTPFields
    let tag: EntityTag

    init(_ name: String, _ bytes: [UInt8]) {
        self.bytes = bytes
        tag = EntityTag(of: bytes)
        // `no-cache` revalidates every file, so that a newer program shows its own page at once.
        headers = [
            .contentType: Self.types[name.split(separator: ".").last ?? ""] ?? "application/octet-stream",
            .eTag: tag.text, .cacheControl: "no-cache", .vary: "Accept", .contentSecurityPolicy: Self.policy,
        ]
    }

    func response(to request: Request) -> Response {
        guard !tag.isKnown(to: request) else { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Without a tag: the answer to an unknown address is not the file of that address.
    var notFound: Response {
        var headers = headers
        headers[.eTag] = nil
        return Response(status: .notFound, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static let types: [Substring: String] = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml; charset=utf-8",
    ]

    /// Scripts and styles come from the gateway's files only, and text cannot become markup (CSP 3, Trusted Types).
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
        "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].joined(separator: "; ")
}
