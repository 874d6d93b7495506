struct HTTPTarget {
    /// Without brackets.
    var host: String
    var port: Int
    var path: String
    var authority: String

    /// Reads `http://127.0.0.1:9000/extension?app=chat`; the default port is 80.
    init(_ url: String) throws(LaunchError) {
        guard !url.lowercased().hasPrefix("https://") else {
            throw LaunchError(
                "\(url) needs TLS, which the gateway does not speak to extensions, as they run beside it: give an address that "
                    + "starts with http://")
        }
        let malformed = LaunchError("\(url) is no address: give one such as http://127.0.0.1:9000/extension")
        guard url.lowercased().hasPrefix("http://"), url.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else { throw malformed }
        let rest = url.dropFirst("http://".count).prefix { $0 != "#" }
        authority = String(rest.prefix { $0 != "/" && $0 != "?" })
        let target = rest.dropFirst(authority.count)
        path = target.hasPrefix("/") ? String(target) : "/" + target
        var host = authority[...]
        port = 80
        let afterHost = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[afterHost...].lastIndex(of: ":") {
            guard let number = Int(authority[authority.index(after: colon)...]), 1...65535 ~= number else {
                throw malformed
            }
            port = number
            host = authority[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.contains("@") else { throw malformed }
        self.host = String(host)
    }
}
