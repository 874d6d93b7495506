internal import Fields

/// Where an `http://` or `https://` address leads.
package struct HTTPTarget: Sendable, Hashable {
    /// Without brackets.
    package var host: String
    package var port: Int
    /// Path and query.
    package var path: String
    package var authority: String

    package var needsTLS: Bool

    package struct Malformed: Error, Sendable {}

    /// Reads `http://127.0.0.1:9000/extension?app=chat`; the default port is 80, or 443 with TLS.
    package init(_ url: String) throws(Malformed) {
        let scheme = ["http://", "https://"].first { url.lowercased().hasPrefix($0) }
        guard let scheme, url.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else { throw Malformed() }
        needsTLS = scheme == "https://"
        let rest = url.dropFirst(scheme.count).prefix { $0 != "#" }
        authority = String(rest.prefix { $0 != "/" && $0 != "?" })
        let target = rest.dropFirst(authority.count)
        path = target.hasPrefix("/") ? String(target) : "/" + target
        guard let address = HostPort(authority, defaultPort: needsTLS ? 443 : 80), address.port != 0,
            !address.host.contains("@")
        else {
            throw Malformed()
        }
        (host, port) = (address.host, address.port)
    }
}
