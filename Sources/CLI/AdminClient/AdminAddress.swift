internal import Fields

package struct AdminAddress: Hashable, Sendable, CustomStringConvertible {
    /// Without brackets.
    package var host: String
    package var port: Int
    /// The prefix of `/api/v1`, without a trailing slash; usually empty.
    package var path: String

    /// The default of `pushcote serve`.
    package static let standard = AdminAddress(host: "127.0.0.1", port: 8197, path: "")

    package init(host: String, port: Int, path: String = "") { (self.host, self.port, self.path) = (host, port, path) }

    /// Reads `http://127.0.0.1:8197`, `http://[::1]:8197/mock` or `localhost:8197`. The default port is 80 after
    /// `http://`, otherwise 8197.
    /// - Returns: `nil` for any other text, `https://` included: the admin API does not use TLS.
    package init?(_ text: String) {
        let hasScheme = text.lowercased().hasPrefix("http://")
        let rest = hasScheme ? text.dropFirst("http://".count) : text[...]
        let authority = rest.prefix { $0 != "/" }
        var path = String(rest[authority.endIndex...])
        while path.hasSuffix("/") { path.removeLast() }
        guard !path.contains(where: { $0.isWhitespace || $0 == "?" || $0 == "#" }) else {
            return nil
        }
        guard let address = HostPort(authority, defaultPort: hasScheme ? 80 : 8197) else { return nil }
        self.init(host: address.host, port: address.port, path: path)
    }

    /// As in the `Host` header: `127.0.0.1:8197`.
    var authority: String { HostPort(host: host, port: port).text }

    package var description: String { "http://\(authority)\(path)" }
}
