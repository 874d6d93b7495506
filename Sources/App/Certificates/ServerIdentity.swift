public import TLSEngine

/// What the gateway shows to TLS clients, and what they have to trust.
public struct ServerIdentity: Sendable {
    /// PEM, the leaf first.
    public var chain: String
    /// PEM of the leaf without addresses, for clients that name a host: BoringSSL accepts no other.
    public var hostCertificate: String?
    /// PEM.
    public var key: String
    /// The leaf.
    public var leaf: Certificate
    /// The authority to trust, where it is known: the gateway's own, or the last certificate of a configured chain.
    public var authority: Certificate
    /// Sentences for the log: what was created or renewed.
    public var notes: [String]
}
