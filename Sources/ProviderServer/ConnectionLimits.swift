package import HTTP2Engine

/// How much clients may ask of a server, and how long they may take. No time means: as long as they like.
package struct ConnectionLimits: Equatable, Sendable {
    /// For a TLS handshake, or the head of a CONNECT request. A handshake takes two round trips and some milliseconds.
    package var handshakeTimeout = Duration.seconds(10)
    /// For the HTTP/2 preface and the SETTINGS behind it, which clients send with the end of their handshake.
    package var prefaceTimeout = Duration.seconds(10)
    /// For the acknowledgement of SETTINGS (RFC 9113 §6.5.3). Libraries acknowledge as they read.
    package var settingsTimeout = Duration.seconds(30)
    /// For the rest of a frame or of a header block. The largest frame takes this long at 4 kbit/s.
    package var frameTimeout = Duration.seconds(30)
    /// From a request's header fields to its end. APNs' largest payload is 5 KiB.
    package var requestTimeout = Duration.seconds(60)
    /// For a client to take what waits for it, through its socket or its windows.
    package var sendTimeout = Duration.seconds(60)
    /// Without a frame, a PING or an open request. Apple lets providers keep connections for hours and days.
    package var idleTimeout = Duration.seconds(86_400)
    package var http2 = HTTP2Limits()
    /// Connections at a time, all listeners together. A tenth of a gigabyte of TLS state; the process's descriptors may allow fewer.
    package var connections = 10_000
    /// Connections at a time from one address. As many: behind loopback, or a container network's gateway, everybody has the same.
    package var connectionsPerAddress = 10_000

    package init() {}
}

/// The times of `ConnectionLimits` in milliseconds, as connections compare them.
struct Timeouts: Sendable {
    let handshake, preface, settings, frame, request, send, idle: Int64
    /// How often connections look at the clock: often enough for the shortest time, never more than 100 times a second.
    let interval: Int64

    init(_ limits: ConnectionLimits) {
        handshake = Self.milliseconds(limits.handshakeTimeout)
        preface = Self.milliseconds(limits.prefaceTimeout)
        settings = Self.milliseconds(limits.settingsTimeout)
        frame = Self.milliseconds(limits.frameTimeout)
        request = Self.milliseconds(limits.requestTimeout)
        send = Self.milliseconds(limits.sendTimeout)
        idle = Self.milliseconds(limits.idleTimeout)
        let shortest = [handshake, preface, settings, frame, request, send, idle].reduce(.max, min)
        interval = max(10, min(shortest / 4, 1000))
    }

    /// Far enough not to come, near enough to be added to.
    private static let never: Int64 = .max / 4

    private static func milliseconds(_ duration: Duration) -> Int64 {
        duration > .zero ? min(Int64(clamping: Int128(duration / .milliseconds(1))), never) : never
    }
}

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
