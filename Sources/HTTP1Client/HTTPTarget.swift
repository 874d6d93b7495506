internal import Fields

/// Where an `http://` address leads.
package struct HTTPTarget: Sendable, Hashable {
    /// Without brackets.
    package var host: String
    package var port: Int
    /// Path and query.
    package var path: String
    package var authority: String

    package enum Problem: Error, Sendable { case needsTLS, malformed }

    /// Reads `http://127.0.0.1:9000/extension?app=chat`; the default port is 80.
    package init(_ url: String) throws(Problem) {
        guard !url.lowercased().hasPrefix("https://") else { throw .needsTLS }
        guard url.lowercased().hasPrefix("http://"), url.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            throw .malformed
        }
        let rest = url.dropFirst("http://".count).prefix { $0 != "#" }
        authority = String(rest.prefix { $0 != "/" && $0 != "?" })
        let target = rest.dropFirst(authority.count)
        path = target.hasPrefix("/") ? String(target) : "/" + target
        guard let address = HostPort(authority, defaultPort: 80), address.port != 0, !address.host.contains("@") else {
            throw .malformed
        }
        (host, port) = (address.host, address.port)
    }
}
