internal import HTTP2Engine

/// Why a request over HTTP/1.1 is answered before anybody judges it as a push.
enum HTTP1Refusal {
    /// The parser knows no such method.
    case methodNotAllowed
    case malformed
    /// RFC 9112 §3.2.
    case missingHost

    var response: Response {
        var response = Response(status: self == .methodNotAllowed ? 405 : 400)
        response.addField("content-type", "application/json")
        response.body = Array(body.utf8)
        return response
    }

    private var body: String {
        switch self {
        case .methodNotAllowed: #"{"reason":"MethodNotAllowed"}"#
        case .malformed: #"{"reason":"BadRequest","detail":"This is not a request of HTTP/1.1 (RFC 9112)."}"#
        case .missingHost:
            #"{"reason":"BadRequest","detail":"A request of HTTP/1.1 has exactly one Host field (RFC 9112 section 3.2)."}"#
        }
    }
}

/// The target of a request: a path, or a whole URL as proxies send it (RFC 9112 §3.2.2).
struct RequestTarget: Equatable {
    var path: String
    /// Of a URL; replaces the Host field.
    var authority: String?

    init(_ text: String) {
        path = text
        let start = text.prefix(8).lowercased()
        guard let scheme = ["http://", "https://"].first(where: { start.hasPrefix($0) }) else { return }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        path = String(rest.dropFirst(authority.count))
        if !path.hasPrefix("/") { path = "/" + path }
        self.authority = String(authority)
    }
}
