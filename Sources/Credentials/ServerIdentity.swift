internal import Synchronization
package import TLSEngine

/// The certificates that TLS clients get, and the CA that they must trust.
package struct ServerIdentity: Sendable {
    /// PEM, the leaf first.
    package var chain: String
    /// PEM of the leaf without addresses, for clients that name a host: BoringSSL accepts no other.
    package var hostCertificate: String?
    package var key: String
    package var leaf: Certificate
    /// The gateway's own CA, or the last certificate of a configured chain.
    package var authority: Certificate
    /// Log messages: what was created or renewed.
    package var notes: [String]
}

/// The identity in use; it can be replaced while the gateway runs.
package final class CurrentIdentity: Sendable {
    private let identity: Mutex<ServerIdentity>

    package init(_ identity: ServerIdentity) { self.identity = Mutex(identity) }

    package var value: ServerIdentity { identity.withLock { $0 } }

    package func replace(by new: ServerIdentity) { identity.withLock { $0 = new } }
}
