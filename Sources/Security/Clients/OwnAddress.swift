package import Fields
internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Whether an address that somebody configured leads back here: what is sent there would cause the next message.
extension HostPort {
    /// Whether a connection would reach one of these listeners of this gateway. Names are resolved, because in a container's
    /// network others, such as Apple's, may lead here.
    ///
    /// - Note: Blocks while it resolves a name, but only if a listener has the port.
    package func leads(to listeners: [HostPort]) -> Bool {
        let listeners = listeners.filter { $0.port == port }
        if listeners.isEmpty { return false }
        // A connection to the address of all interfaces goes to this machine.
        let targets = addresses.map { $0 == Self.anyIPv4 ? "127.0.0.1" : $0 == Self.anyIPv6 ? "::1" : $0 }
        let own = Set(((try? System.enumerateDevices()) ?? []).compactMap { $0.address?.ipAddress })
        let reaching = targets.filter { HostPort(host: $0, port: port).isLoopback || own.contains($0) }
        return listeners.flatMap(\.addresses).contains { address in
            switch address {
            case Self.anyIPv4: reaching.contains { !$0.contains(":") }
            case Self.anyIPv6: !reaching.isEmpty
            default: targets.contains(address)
            }
        }
    }

    /// The same without blocking the caller's thread.
    package func leadsToOne(of listeners: [HostPort]) async -> Bool {
        guard listeners.contains(where: { $0.port == port }) else { return false }
        return (try? await NIOThreadPool.singleton.runIfActive { leads(to: listeners) }) ?? false
    }

    private static let anyIPv4 = "0.0.0.0"
    private static let anyIPv6 = "::"

    /// As text; an IPv4 address in the form of IPv6 as IPv4.
    private var addresses: Set<String> {
        let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
        // A client tries both.
        if name == "localhost" { return ["127.0.0.1", "::1"] }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var addresses: Set<String> = []
        var next = found
        while let entry = next?.pointee {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let isText =
                getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            if isText {
                let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                addresses.insert(address.hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address)
            }
            next = entry.ai_next
        }
        return addresses
    }
}
