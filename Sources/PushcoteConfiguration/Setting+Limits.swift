internal import ProviderServer

extension Setting {
    /// What clients may ask of the provider's listeners; `docs/hardening.md` says what happens at each limit.
    package static let limits: [Setting] = [
        Setting(
            "limits.handshakeTimeout", \.limits.handshakeTimeout, .duration,
            "How long a TLS handshake, or the head of a CONNECT request, may take; 0s turns a timeout off, here and "
                + "below. A handshake needs two round trips."),
        Setting(
            "limits.prefaceTimeout", \.limits.prefaceTimeout, .duration,
            "How long a client may take to send the HTTP/2 preface and its SETTINGS; libraries send both at once."),
        Setting(
            "limits.settingsTimeout", \.limits.settingsTimeout, .duration,
            "How long a client may take to acknowledge SETTINGS before GOAWAY SETTINGS_TIMEOUT."),
        Setting(
            "limits.frameTimeout", \.limits.frameTimeout, .duration,
            "How long an incomplete frame or header block may take; the largest frame takes this long at 4 kbit/s."
        ),
        Setting(
            "limits.requestTimeout", \.limits.requestTimeout, .duration,
            "How long a request may take from its header fields to its end; APNs' largest payload is 5 KiB."),
        Setting(
            "limits.sendTimeout", \.limits.sendTimeout, .duration,
            "How long an answer may wait for a client that does not read or does not open its window."),
        Setting(
            "limits.idleTimeout", \.limits.idleTimeout, .duration,
            "How long a connection may have no frame and no open request; Apple lets providers keep connections open "
                + "for hours or days."),
        Setting(
            "limits.frameBurst", \.limits.frameBurst, .number(100...1_000_000_000), unit: "frames",
            "How many frames a connection may send in one burst without reading answers: enough for 1000 streams "
                + "that open, send and reset, three times. Raise it together with streams.limit."),
        Setting(
            "limits.frameRate", \.limits.frameRate, .number(1...1_000_000_000), unit: "frames a second",
            "How many such frames a second may follow; no known client sends more than one PING a second."),
        Setting(
            "limits.headerBlockByteCount", \.limits.headerBlockByteCount, .number(1024...16_777_216), unit: "bytes",
            "How large a header block may be, encoded and decoded (name, value and 32 for each field), before the "
                + "connection ends; one above http2.maximumHeaderListSize is answered 431."),
        Setting(
            "limits.connections", \.limits.connections, .number(1...10_000_000), unit: "connections",
            "The maximum number of connections, or the process's descriptor limit minus 64 if that is lower."),
        Setting(
            "limits.connectionsPerAddress", \.limits.connectionsPerAddress, .number(1...10_000_000),
            unit: "connections",
            "The maximum number of connections from one address; on loopback or a container network all clients share "
                + "one."
        ),
    ]
}
