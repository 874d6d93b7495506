public import HTTP2Engine

/// What an `HTTP2Server` needs to know beside its listeners.
public struct ServerConfiguration: Sendable {
    public var http2 = HTTP2Settings()
    public var limits = ConnectionLimits()
    /// Hosts, in lower case, for which the CONNECT proxy ends the connection here; every other target is refused.
    public private(set) var proxyTargets: Set<String> = []
    /// Ports of those hosts that may be asked for.
    public var proxyPorts: Set<Int> = [443, 2197]

    public init() {}

    /// Adds a host for the CONNECT proxy, however it is written.
    public mutating func addProxyTarget(_ host: String) { proxyTargets.insert(ConnectRequest.canonical(host)) }
}
