internal import ProviderServer

extension Setting {
    /// What clients may ask of the provider's listeners; `docs/hardening.md` says what happens at each limit.
    package static let limits: [Setting] = [
        Setting(
            "limits.handshakeTimeout", \.limits.handshakeTimeout, .duration,
            "How long a TLS handshake, or the head of a CONNECT request, may take; 0s for any time, here and below. It needs two "
                + "round trips."),
        Setting(
            "limits.prefaceTimeout", \.limits.prefaceTimeout, .duration,
            "How long a client may take to send the HTTP/2 preface and its SETTINGS; libraries send both at once."),
        Setting(
            "limits.settingsTimeout", \.limits.settingsTimeout, .duration,
            "How long a client may take to acknowledge SETTINGS; then GOAWAY SETTINGS_TIMEOUT."),
        Setting(
            "limits.frameTimeout", \.limits.frameTimeout, .duration,
            "How long the rest of a frame or of a header block may take; the largest frame takes this long at 4 kbit/s."
        ),
        Setting(
            "limits.requestTimeout", \.limits.requestTimeout, .duration,
            "How long a request may take from its header fields to its end; APNs' largest payload is 5 KiB."),
        Setting(
            "limits.sendTimeout", \.limits.sendTimeout, .duration,
            "How long an answer may wait for a client that does not read, or opens no window."),
        Setting(
            "limits.idleTimeout", \.limits.idleTimeout, .duration,
            "How long a connection may be without a frame or an open request; Apple lets providers keep connections for hours and "
                + "days."),
        Setting(
            "limits.frameBurst", \.limits.frameBurst, .number(100...1_000_000_000), unit: "frames",
            "How many frames that lead to no answer a connection may send at once: 1000 streams that open, send and are taken back, "
                + "three times over. Raise it with streams.limit."),
        Setting(
            "limits.frameRate", \.limits.frameRate, .number(1...1_000_000_000), unit: "frames a second",
            "How fast such frames may follow; no client is known to send more than a PING a second."),
        Setting(
            "limits.headerBlockByteCount", \.limits.headerBlockByteCount, .number(1024...16_777_216), unit: "bytes",
            "How large a header block may be, as it comes and decoded (name, value and 32 for each field), before the connection "
                + "ends; one above http2.maximumHeaderListSize is answered 431."),
        Setting(
            "limits.connections", \.limits.connections, .number(1...10_000_000), unit: "connections",
            "How many connections there may be; 64 less than the process's descriptors when that is fewer."),
        Setting(
            "limits.connectionsPerAddress", \.limits.connectionsPerAddress, .number(1...10_000_000),
            unit: "connections",
            "How many connections one address may have; behind loopback or a container network everybody has the same address."
        ),
    ]
}
