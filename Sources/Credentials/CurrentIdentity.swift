internal import Synchronization

/// The certificate that is shown to clients now; it is replaced while the gateway runs.
package final class CurrentIdentity: Sendable {
    private let identity: Mutex<ServerIdentity>

    package init(_ identity: ServerIdentity) { self.identity = Mutex(identity) }

    package var value: ServerIdentity { identity.withLock { $0 } }

    package func replace(by new: ServerIdentity) { identity.withLock { $0 = new } }
}
