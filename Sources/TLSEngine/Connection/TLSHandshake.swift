package struct TLSHandshake: Sendable, Equatable {
    /// `TLSv1.2` or `TLSv1.3`.
    package var version: String
    package var cipher: String
    /// SNI: the name the client asked for.
    package var serverName: String?
    /// The client's ALPN list; empty when it sent none.
    package var offeredProtocols: [String]
    /// `h2`, or `nil`.
    package var selectedProtocol: String?
    /// The client came back with a session ticket.
    package var isResumed: Bool
    package var clientCertificate: ClientCertificate?
}

/// How far a connection is.
package enum TLSProgress: Sendable, Equatable {
    case handshaking
    case open
    /// The peer said that nothing follows.
    case closed
}
