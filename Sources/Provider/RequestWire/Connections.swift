/// The protocol that a listener accepts.
public enum Traffic: String, Sendable, Codable {
    /// TLS with HTTP/2: the port of APNs.
    case provider
    /// No TLS: HTTP/2 with prior knowledge, or HTTP/1.1.
    case clearText
    /// CONNECT requests for Apple's host names, then as `provider`.
    case proxy
    /// As `provider`, for channel management in the sandbox: port 2195 of APNs.
    case channelsSandbox
    /// As `provider`, for channel management in production: port 2196 of APNs.
    case channelsProduction
}

public enum HTTPVersion: String, Sendable, Codable {
    case http2 = "HTTP/2"
    case http1 = "HTTP/1.1"
}

/// How a fault rule ends a connection without GOAWAY.
public enum ConnectionEnd: String, CaseIterable, Sendable {
    /// A TCP reset.
    case reset
    /// The end of the stream, after queued output is sent.
    case close
    /// Stays open; what arrives is discarded, and nothing is written.
    case silence
}

/// The flow-control windows that a fault rule starves.
public enum WindowScope: String, CaseIterable, Sendable {
    /// The one that all streams of a connection share.
    case connection
    case streams
}

public enum ConnectionEnding: String, CaseIterable, Sendable {
    /// The client closed or reset it, or disappeared.
    case client
    /// The gateway closed it: with GOAWAY, at shutdown, or for a limit.
    case gateway
    /// A fault rule closed it without GOAWAY.
    case close
    /// A fault rule reset it.
    case reset
    /// A fault rule refused TLS with an alert.
    case alert
}

/// An error code of RST_STREAM and GOAWAY, named as in RFC 9113 §7, which numbers them in this order.
public enum HTTP2ErrorCode: String, CaseIterable, Sendable {
    case noError = "NO_ERROR"
    case protocolError = "PROTOCOL_ERROR"
    case internalError = "INTERNAL_ERROR"
    case flowControlError = "FLOW_CONTROL_ERROR"
    case settingsTimeout = "SETTINGS_TIMEOUT"
    case streamClosed = "STREAM_CLOSED"
    case frameSizeError = "FRAME_SIZE_ERROR"
    case refusedStream = "REFUSED_STREAM"
    case cancel = "CANCEL"
    case compressionError = "COMPRESSION_ERROR"
    case connectError = "CONNECT_ERROR"
    case enhanceYourCalm = "ENHANCE_YOUR_CALM"
    case inadequateSecurity = "INADEQUATE_SECURITY"
    case http11Required = "HTTP_1_1_REQUIRED"

    public var number: UInt32 { UInt32(Self.allCases.prefix { $0 != self }.count) }
}
