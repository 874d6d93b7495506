/// A host and a port, as text `127.0.0.1:2197`, `[::1]:2197` or `localhost:2197`. The host is an IPv4 address, an IPv6
/// address or a name.
package struct HostPort: Hashable, Sendable {
    /// Without brackets.
    package var host: String
    /// To listen on, 0 lets the system choose.
    package var port: Int

    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// - Parameter defaultPort: For a text without a port; nil rejects it.
    package init?(_ text: some StringProtocol, defaultPort: Int? = nil) {
        var host = text[...]
        var port = defaultPort
        if text.last != "]", let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            let digits = text[text.index(after: colon)...]
            // `UInt16` also reads `+443`.
            port = digits.allSatisfy(\.isWholeNumber) ? UInt16(digits).map { Int($0) } : nil
        }
        guard let port else { return nil }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard host.contains(":") == isBracketed, !host.isEmpty else { return nil }
        guard !host.contains(where: { $0.isWhitespace || "[]/".contains($0) }) else { return nil }
        self.init(host: String(host), port: port)
    }

    /// As in a URL: an IPv6 address in brackets.
    package var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    package var text: String { "\(bracketedHost):\(port)" }

    package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    /// Both loopback addresses.
    package static func loopback(_ port: Int) -> [HostPort] {
        [HostPort(host: "127.0.0.1", port: port), HostPort(host: "::1", port: port)]
    }

    /// A listener's address for another program. Loopback becomes a name, because BoringSSL accepts no addresses.
    /// - Parameter host: For listeners on all addresses: a host by which another of the gateway's listeners was reached.
    package func reachable(from host: String) -> HostPort {
        var address = self
        if ["0.0.0.0", "::"].contains(address.host) { address.host = host }
        if address.isLoopback { address.host = "localhost" }
        return address
    }
}
