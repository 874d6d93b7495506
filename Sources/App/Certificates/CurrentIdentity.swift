internal import Synchronization

/// The certificate that is shown to clients now; it is replaced while the gateway runs.
final class CurrentIdentity: Sendable {
    private let identity: Mutex<ServerIdentity>

    init(_ identity: ServerIdentity) { self.identity = Mutex(identity) }

    var value: ServerIdentity { identity.withLock { $0 } }

    func replace(by new: ServerIdentity) { identity.withLock { $0 = new } }
}
