package import HTTP2Engine

/// Limits on what clients may request and how long they may take. A zero time means no limit.
package struct ConnectionLimits: Equatable, Sendable {
    /// For a TLS handshake or the head of a CONNECT request. A handshake takes two round trips and some milliseconds.
    package var handshakeTimeout = Duration.seconds(10)
    /// For the HTTP/2 preface and the SETTINGS after it, which clients send with the end of their handshake.
    package var prefaceTimeout = Duration.seconds(10)
    /// For the acknowledgement of SETTINGS (RFC 9113 §6.5.3). Libraries acknowledge as they read.
    package var settingsTimeout = Duration.seconds(30)
    /// For the rest of a frame or header block. The largest frame takes this long at 4 kbit/s.
    package var frameTimeout = Duration.seconds(30)
    /// From a request's header fields to its end. APNs' largest payload is 5 KiB.
    package var requestTimeout = Duration.seconds(60)
    /// For a client to accept pending output, through its socket or its windows.
    package var sendTimeout = Duration.seconds(60)
    /// Without a frame, a PING or an open request. Apple lets providers keep connections open for hours and days.
    package var idleTimeout = Duration.seconds(86_400)
    package var http2 = HTTP2Limits()
    /// Across all listeners. Takes a tenth of a gigabyte of TLS state; the process's descriptor limit may allow fewer.
    package var connections = 10_000
    /// Equal to `connections`: behind loopback or a container network's gateway, all clients share one address.
    package var connectionsPerAddress = 10_000

    package init() {}
}
