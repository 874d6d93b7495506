package import HTTP2Engine
package import TLSEngine

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
    /// The client's header list is over the limit.
    /// - Returns: The answer; its status is 431 (RFC 6585 §5).
    func refusedHeaderList() -> Response
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
    func ended(_ ending: ConnectionEnding)
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
    package func ended(_ ending: ConnectionEnding) {}
}

/// Who is at the other end, known before the first request.
package struct ConnectionDescription: Sendable {
    /// The listener's kind of traffic.
    package var traffic: ListenerAddress.Traffic
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

    /// Which HTTP the client speaks.
    package enum HTTPVersion: String, Sendable, Codable {
        case http2 = "HTTP/2"
        case http1 = "HTTP/1.1"
    }
}

package enum ConnectionEnding: String, CaseIterable, Sendable {
    /// The client closed or reset it, or vanished.
    case client
    /// The gateway closed it: with a GOAWAY, at its stop, or for one of its limits.
    case gateway
    /// A fault rule closed it without a word.
    case close
    /// A fault rule reset it.
    case reset
    /// A fault rule refused TLS with an alert.
    case alert
}
