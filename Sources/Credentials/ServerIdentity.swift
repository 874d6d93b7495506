internal import Synchronization
package import TLSEngine

/// The certificates for TLS clients and the CA that they must trust.
package struct ServerIdentity: Sendable {
    /// PEM, the leaf first.
    package var chain: String
    /// PEM of the leaf without IP addresses, for clients that name a host: BoringSSL accepts no other.
    package var hostCertificate: String?
    package var key: String
    package var leaf: Certificate
    /// Pushcote's own CA, or the last certificate of a configured chain.
    package var authority: Certificate
    /// Log messages.
    package var notes: [String]
}

/// The identity in use; a reload may replace it.
package final class CurrentIdentity: Sendable {
    private let identity: Mutex<ServerIdentity>

    package init(_ identity: ServerIdentity) { self.identity = Mutex(identity) }

    package var value: ServerIdentity { identity.withLock { $0 } }

    package func replace(by new: ServerIdentity) { identity.withLock { $0 = new } }
}
