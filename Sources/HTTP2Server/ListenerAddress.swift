public import NIOCore

/// Where a listener waits and what it expects there.
public struct ListenerAddress: Hashable, Sendable {
    /// What arrives at a listener.
    public enum Traffic: String, Sendable, Codable {
        /// TLS with HTTP/2: APNs' own port.
        case provider
        /// HTTP/2 with prior knowledge, or HTTP/1.1, without TLS.
        case clearText
        /// CONNECT requests for Apple's host names, then as `provider`.
        case proxy
    }

    /// An IPv4 or IPv6 address, or a name to look up.
    public var host: String
    /// 0 lets the system choose.
    public var port: Int
    public var traffic: Traffic

    public init(host: String, port: Int, traffic: Traffic) {
        self.host = host
        self.port = port
        self.traffic = traffic
    }
}

/// A listener that is up.
public struct BoundListener: Hashable, Sendable {
    public var traffic: ListenerAddress.Traffic
    /// Address and real port, `127.0.0.1:2197` or `[::1]:2197`.
    public var address: String
    public var port: Int
}

extension SocketAddress {
    /// Address and port, with brackets around IPv6; empty for other families.
    public var text: String {
        switch self {
        case .v4: "\(ipAddress ?? ""):\(port ?? 0)"
        case .v6: "[\(ipAddress ?? "")]:\(port ?? 0)"
        case .unixDomainSocket: ""
        }
    }
}
