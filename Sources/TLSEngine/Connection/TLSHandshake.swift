/// What a handshake agreed on.
public struct TLSHandshake: Sendable, Equatable {
    /// `TLSv1.2` or `TLSv1.3`.
    public var version: String
    public var cipher: String
    /// SNI: the name the client asked for.
    public var serverName: String?
    /// The client's ALPN list; empty when it sent none.
    public var offeredProtocols: [String]
    /// `h2`, or `nil`.
    public var selectedProtocol: String?
    /// The client came back with a session ticket.
    public var isResumed: Bool
    public var clientCertificate: ClientCertificate?
}

/// How far a connection is.
public enum TLSProgress: Sendable, Equatable {
    case handshaking
    case open
    /// The peer said that nothing follows.
    case closed
}
