internal import APNs
internal import AdminAPI
internal import Credentials
internal import Files
internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ProviderServer
internal import PushcoteConfiguration
internal import ServiceLifecycle
internal import TLSEngine

extension PushcoteServer {
    /// One service for each address of the admin API.
    func adminServices(
        _ loops: MultiThreadedEventLoopGroup, _ startup: Startup, _ attacks: AttackCounters
    ) -> [any Service] {
        let api = AdminAPI(
            gateway: parts.gateway, configuration: configuration.adminConfiguration, documents: documents,
            information: { information(startup.current, attacks) }, isReady: { startup.isComplete }, logger: logger)
        return configuration.listen.admin.map { address in
            AdminListener(
                service: api.makeService(host: address.host, port: address.port, group: loops) { bound in
                    startup.adminIsUp(bound.text)
                }, address: address, others: configuration.listen.admin, startup: startup, logger: logger)
        }
    }

    private var documents: AdminDocuments {
        let (identity, store) = (parts.identity, parts.store)
        return AdminDocuments(
            authority: { Array(identity.value.authority.pem.utf8) },
            bundle: { TrustBundle.pem(with: identity.value.authority) },
            trustStore: {
                let authority = identity.value.authority
                return
                    (try? PKCS12File.trustStore(
                        authority, name: "pushcote", password: CertificateStore.trustStorePassword))
                    ?? (try? FileStore.read(store.path("ca.p12"))) ?? []
            })
    }

    private func information(
        _ addresses: ServerInformation.Addresses, _ attacks: AttackCounters
    ) -> ServerInformation {
        let identity = parts.identity.value
        return ServerInformation(
            version: Version.text, profile: configuration.profile.rawValue, startedAt: startedAt,
            addresses: addresses,
            certificate: .init(
                authorityFingerprint: identity.authority.fingerprint, authorityFile: authorityFile,
                notAfter: Instant(wholeSeconds: identity.leaf.notAfter)),
            demonstrationKey: .init(
                keyID: DemonstrationKey.keyID, teamID: DemonstrationKey.teamID, file: parts.demonstrationKey.path),
            limitsReached: AttackClass.allCases.map { .init(limit: $0.rawValue, count: attacks[$0]) })
    }

    /// Path of the file with the authority that clients have to trust.
    package var authorityFile: String { configuration.certificates.chain ?? parts.store.path("ca.pem") }
}

/// A listener of the admin API, whose failure to start is told as the others' are.
private struct AdminListener: NamedService {
    let service: any Service
    let address: ListenAddress
    let others: [ListenAddress]
    let startup: Startup
    let logger: Logger

    func run() async throws {
        do {
            try await service.run()
        } catch let error where error is IOError {
            try Listeners.tolerate(error, at: address, setting: "listen.admin", others: others, logger)
            startup.adminIsMissing()
            try await gracefulShutdown()
        }
    }
}

extension Configuration {
    /// Refuses an admin API that strangers could use.
    func checkAdminAccess() throws(StartError) {
        guard admin.token == nil, !admin.open, let exposed = listen.admin.first(where: { !$0.isLoopback }) else {
            return
        }
        throw StartError(
            "listen.admin has \(exposed.text), which other machines can reach: set admin.token, or admin.open=true if a "
                + "separate network protects it.")
    }

    var adminConfiguration: AdminConfiguration {
        AdminConfiguration(
            token: admin.token, allowedHosts: Set(admin.allowedHosts), silencedFindings: Set(lint.silenced))
    }
}
