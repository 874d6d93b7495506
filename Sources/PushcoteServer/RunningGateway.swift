package import AdminAPI
internal import Credentials
package import ServiceLifecycle
internal import TLSEngine

/// A gateway that listens.
package struct RunningGateway: Sendable {
    package let server: PushcoteServer
    package let addresses: ServerInformation.Addresses
    private let services: ServiceGroup

    package init(server: PushcoteServer, addresses: ServerInformation.Addresses, services: ServiceGroup) {
        self.server = server
        self.addresses = addresses
        self.services = services
    }

    /// Asks for the end; `PushcoteServer.run` returns when it has come.
    package func stop() async { await services.triggerGracefulShutdown() }

    /// Path of the authority that clients have to trust.
    package var authorityFile: String { server.authorityFile }

    /// SHA-256 of the authority's certificate.
    package var authorityFingerprint: String { server.parts.identity.value.authority.fingerprint }
}
