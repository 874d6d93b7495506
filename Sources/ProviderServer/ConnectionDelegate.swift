package import HTTP2Engine
package import TLSEngine
package import Wire

/// Who answers the requests of one connection. Called on the connection's event loop only.
package protocol ConnectionDelegate: AnyObject {
    /// SETTINGS_MAX_CONCURRENT_STREAMS to announce first.
    var initialStreamLimit: UInt32 { get }
    /// Debug data of the GOAWAY that ends the connection before its first request; `nil` to serve it.
    var goodbye: [UInt8]? { get }
    /// A request arrived; answer through the responder, now or later.
    func received(_ request: consuming Request, _ responder: consuming Responder)
    /// Called after the last request of a read; answer here to batch.
    func receivedAll()
    /// A request's header list is over the limit; answer it with 431 (RFC 6585 §5).
    func receivedOversizedHeaders(_ responder: Responder)
    func received(settings: [HTTP2Setting])
    func receivedPing()
    /// Streams above the announced limit were refused with REFUSED_STREAM, so many since the last call.
    func refusedStreams(_ count: Int)
    /// The client's SETTINGS came, and nothing else yet. The responder has no stream to answer.
    func introduced(_ responder: Responder)
    /// The client took back a request before it was answered.
    func cancelled(_ stream: Int32)
    /// A GOAWAY left.
    func sent(_ goAway: SentGoAway)
    /// How the connection ended; `closed()` follows.
    func ended(_ outcome: ConnectionOutcome)
    /// The connection is gone; nothing follows.
    func closed()
}

extension ConnectionDelegate {
    /// Requests are answered as they arrive.
    package func receivedAll() {}

    /// Nothing is to be done before the first request.
    package func introduced(_ responder: Responder) {}

    /// Requests are answered as they arrive.
    package func cancelled(_ stream: Int32) {}

    /// Not recorded.
    package func sent(_ goAway: SentGoAway) {}

    /// Not recorded.
    package func ended(_ outcome: ConnectionOutcome) {}
}

/// Who is at the other end, known before the first request.
package struct ConnectionDescription: Sendable {
    /// The listener's kind of traffic.
    package var traffic: Traffic
    /// `HTTP/2` or `HTTP/1.1`; `nil` for a client that was turned away before it said anything.
    package var httpVersion: HTTPVersion?
    /// The client's address and port.
    package var remoteAddress: String
    /// The listener's address and port.
    package var localAddress: String
    /// What TLS agreed on; `nil` in clear text.
    package var tls: TLSHandshake?
    /// The host a client asked the CONNECT proxy for.
    package var connectTarget: String?
    /// The rule of the fault that the client met as it connected; `nil` as a rule.
    package var acceptFault: String?

}

/// How a connection ended.
package struct ConnectionOutcome: Hashable, Sendable {
    package let ending: ConnectionEnding
    /// The limit for which the gateway ended it.
    package private(set) var limit: AttackClass?

    package static let client = Self(ending: .client)
    package static let gateway = Self(ending: .gateway)
    package static let close = Self(ending: .close)
    package static let reset = Self(ending: .reset)
    package static let alert = Self(ending: .alert)

    static func limit(_ limit: AttackClass) -> Self { Self(ending: .gateway, limit: limit) }
}
