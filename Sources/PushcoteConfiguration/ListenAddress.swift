/// Where to listen: an IPv4 address, an IPv6 address in brackets or a host name, with a port.
package struct ListenAddress: Hashable, Sendable {
    /// Without brackets.
    package var host: String
    /// 0 lets the system choose.
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `127.0.0.1:2197`, `[::1]:2197` or `localhost:2197`.
    /// - Returns: `nil` for any other text.
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

    /// Whether only this machine can reach it.
    package var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    /// The same port on both loopback addresses.
    package static func loopback(_ port: Int) -> [ListenAddress] {
        [ListenAddress(host: "127.0.0.1", port: port), ListenAddress(host: "::1", port: port)]
    }
}
