package import HTTP2Engine

/// What an `ProviderServer` needs to know beside its listeners.
package struct ServerConfiguration: Sendable {
    package var http2 = HTTP2Settings()
    package var limits = ConnectionLimits()
    /// Hosts, in lower case, for which the CONNECT proxy ends the connection here; every other target is refused.
    package private(set) var proxyTargets: Set<String> = []
    /// Ports of those hosts that may be asked for.
    package var proxyPorts: Set<Int> = [443, 2197]

    package init() {}

    /// Adds a host for the CONNECT proxy, however it is written.
    package mutating func addProxyTarget(_ host: String) { proxyTargets.insert(ConnectRequest.canonical(host)) }
}
