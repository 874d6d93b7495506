package struct TLSHandshake: Sendable, Equatable {
    /// `TLSv1.2` or `TLSv1.3`.
    package var version: String
    package var cipher: String
    /// SNI.
    package var serverName: String?
    /// ALPN; empty when the client sent none.
    package var offeredProtocols: [String]
    /// `h2` or nil.
    package var selectedProtocol: String?
    /// The client resumed a session with a ticket.
    package var isResumed: Bool
    package var clientCertificate: ClientCertificate?
}

package enum TLSProgress: Sendable, Equatable {
    case handshaking
    case open
    /// The peer sent close_notify.
    case closed
}
