/// A host and a port to listen on. The host is an IPv4 address, an IPv6 address or a name.
package struct ListenAddress: Hashable, Sendable {
    package var host: String
    /// 0 lets the system choose.
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Accepts forms such as `127.0.0.1:2197`, `[::1]:2197` and `localhost:2197`.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || "[]/".contains($0) }) else { return nil }
        self.init(host: String(host), port: Int(port))
    }

    package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    package static func loopback(_ port: Int) -> [ListenAddress] {
        [ListenAddress(host: "127.0.0.1", port: port), ListenAddress(host: "::1", port: port)]
    }
}
