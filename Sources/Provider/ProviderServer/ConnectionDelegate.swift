package import HTTP2Engine
package import RequestWire
package import TLSEngine

/// Answers the requests of one connection, on its event loop only.
package protocol ConnectionDelegate: AnyObject {
    /// SETTINGS_MAX_CONCURRENT_STREAMS in the first SETTINGS.
    var initialStreamLimit: UInt32 { get }
    /// Debug data of a GOAWAY that rejects the connection before its first request; nil serves it.
    var goodbye: [UInt8]? { get }
    /// What is wrong, for the log.
    var goodbyeDetail: String { get }
    /// Respond now or later.
    func received(_ request: consuming Request, _ responder: consuming Responder)
    /// Called after the last request of a read; answer here to batch.
    func receivedAll()
    /// The header list exceeds the limit; respond with 431 (RFC 6585 §5).
    func receivedOversizedHeaders(_ responder: Responder)
    func received(settings: [HTTP2Setting])
    func receivedPing()
    /// - Parameter count: Streams above the announced limit, refused with REFUSED_STREAM since the last call.
    func refusedStreams(_ count: Int)
    /// A stream was refused because of a GOAWAY that left the connection open.
    func refusedAfterGoAway()
    /// The client sent its SETTINGS but no request. The responder has no stream to answer.
    func introduced(_ responder: Responder)
    /// The client cancelled a request before its response.
    func cancelled(_ stream: Int32)
    func sent(_ goAway: SentGoAway)
    /// `closed()` follows.
    func ended(_ outcome: ConnectionOutcome)
    func closed()
}

/// What is known of a client before its first request.
package struct ConnectionDescription: Sendable {
    package var traffic: Traffic
    /// nil for a client refused before its first bytes.
    package var httpVersion: HTTPVersion?
    /// Address and port.
    package var remoteAddress: String
    /// Address and port.
    package var localAddress: String
    /// nil in clear text.
    package var tls: TLSHandshake?
    /// The host in the CONNECT request.
    package var connectTarget: String?
    /// The rule of the fault that affected the new connection.
    package var acceptFault: String?
}

package struct ConnectionOutcome: Hashable, Sendable {
    package let ending: ConnectionEnding
    /// The limit that made the gateway end it.
    package private(set) var limit: AttackClass?

    package static let client = Self(ending: .client)
    package static let gateway = Self(ending: .gateway)
    package static let close = Self(ending: .close)
    package static let reset = Self(ending: .reset)
    package static let alert = Self(ending: .alert)

    static func limit(_ limit: AttackClass) -> Self { Self(ending: .gateway, limit: limit) }
}
