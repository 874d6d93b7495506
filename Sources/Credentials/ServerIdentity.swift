internal import Synchronization
package import TLSEngine

/// What the gateway shows to TLS clients, and what they have to trust.
package struct ServerIdentity: Sendable {
    /// PEM, the leaf first.
    package var chain: String
    /// PEM of the leaf without addresses, for clients that name a host: BoringSSL accepts no other.
    package var hostCertificate: String?
    package var key: String
    package var leaf: Certificate
    /// The authority to trust, where it is known: the gateway's own, or the last certificate of a configured chain.
    package var authority: Certificate
    /// Sentences for the log: what was created or renewed.
    package var notes: [String]
}

/// The certificate that is shown to clients now; it is replaced while the gateway runs.
package final class CurrentIdentity: Sendable {
    private let identity: Mutex<ServerIdentity>

    package init(_ identity: ServerIdentity) { self.identity = Mutex(identity) }

    package var value: ServerIdentity { identity.withLock { $0 } }

    package func replace(by new: ServerIdentity) { identity.withLock { $0 = new } }
}
