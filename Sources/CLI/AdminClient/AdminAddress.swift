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
    /// - Throws: For any other text, `https://` included: the admin API does not use TLS.
    package init(_ text: String) throws(AdminAddressProblem) {
        guard !text.lowercased().hasPrefix("https://") else {
            throw AdminAddressProblem("the admin API does not use TLS; use http://\(text.dropFirst("https://".count))")
        }
        let problem = AdminAddressProblem("accepted: an address such as http://127.0.0.1:8197")
        let hasScheme = text.lowercased().hasPrefix("http://")
        let rest = hasScheme ? text.dropFirst("http://".count) : text[...]
        let authority = rest.prefix { $0 != "/" }
        var path = String(rest[authority.endIndex...])
        while path.hasSuffix("/") { path.removeLast() }
        guard !path.contains(where: { $0.isWhitespace || $0 == "?" || $0 == "#" }) else {
            throw problem
        }
        guard let address = HostPort(authority, defaultPort: hasScheme ? 80 : 8197) else { throw problem }
        self.init(host: address.host, port: address.port, path: path)
    }

    /// As in the `Host` header: `127.0.0.1:8197`.
    var authority: String { HostPort(host: host, port: port).text }

    package var description: String { "http://\(authority)\(path)" }
}

/// Why a text is not an address of the admin API, with the remedy.
package struct AdminAddressProblem: Error, CustomStringConvertible {
    package let description: String

    fileprivate init(_ description: String) { self.description = description }
}
