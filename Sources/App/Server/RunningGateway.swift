public import AdminAPI
internal import ServiceLifecycle
internal import TLSEngine

/// A gateway that listens.
public struct RunningGateway: Sendable {
    let server: PushcoteServer
    public let addresses: ServerInformation.Addresses
    private let services: ServiceGroup

    init(server: PushcoteServer, addresses: ServerInformation.Addresses, services: ServiceGroup) {
        self.server = server
        self.addresses = addresses
        self.services = services
    }

    /// Asks for the end; `PushcoteServer.run` returns when it has come.
    public func stop() async { await services.triggerGracefulShutdown() }

    /// Path of the authority that clients have to trust.
    public var authorityFile: String { server.authorityFile }

    /// SHA-256 of the authority's certificate.
    public var authorityFingerprint: String { server.parts.identity.value.authority.fingerprint }
}
