internal import AdminAPI
internal import Credentials
internal import Fields
internal import Files
internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ProviderServer
internal import PushcoteConfiguration
internal import ServiceLifecycle
internal import TLSEngine
internal import Time

extension PushcoteServer {
    func adminServices(
        _ loops: MultiThreadedEventLoopGroup, _ bound: BoundAddresses, _ attacks: AttackCounters
    ) -> [any Service] {
        let api = AdminAPI(
            gateway: parts.gateway,
            configuration: configuration.adminConfiguration,
            run: UInt32.random(in: 0..<1 << 24),
            documents: contents, information: { information(bound.current, attacks) }, isReady: { bound.isComplete },
            handOver: house?.leave, logger: logger)
        if let house {
            for address in house.adminAddresses { bound.addAdmin(address) }
            let service: any Service = api.makeService(behind: house.door)
            return [api.feed, service]
        }
        let listeners = configuration.adminListeners(bound, logger) { address, onBound in
            api.makeService(host: address.host, port: address.port, group: loops, onBound: onBound)
        }
        // First, so that it stops last.
        return listeners.isEmpty ? [] : [api.feed] + listeners
    }

    private func contents(of document: AdminDocument) -> [UInt8] {
        let authority = parts.identity.value.authority
        return switch document {
        case .authority: Array(authority.pem.utf8)
        case .bundle: TrustBundle.pem(with: authority)
        case .trustStore:
            (try? PKCS12File.trustStore(authority, name: "pushcote", password: CertificateStore.trustStorePassword))
                ?? (try? FileStore.read(parts.store.path(.trustStore))) ?? []
        }
    }

    private func information(_ addresses: ServerInformation.Addresses, _ attacks: AttackCounters) -> ServerInformation {
        let identity = parts.identity.value
        var information = ServerInformation(
            version: Version.text, profile: configuration.profile.rawValue, startedAt: startedAt,
            addresses: addresses)
        information.certificate = (
            identity.authority.fingerprint, FileStore.absolutePath(authorityFile),
            Instant(wholeSeconds: identity.leaf.notAfter)
        )
        information.demonstrationKey = (
            DemonstrationKey.keyID, DemonstrationKey.teamID, FileStore.absolutePath(parts.demonstrationKey.path)
        )
        information.signToken = { [key = parts.demonstrationKey.key] teamID, issuedAt in
            ProviderTokenMaker(keyID: DemonstrationKey.keyID, teamID: teamID, key: key).token(issuedAt: issuedAt)
        }
        information.settings = decisiveSettings
        information.limitsReached = AttackClass.allCases.map { ($0.rawValue, attacks[$0]) }
        return information
    }

    package var authorityFile: String { configuration.certificates.chain ?? parts.store.path(.authority) }
}

/// A listener of the admin API that reports a failure to bind in the same way as the provider listeners.
struct AdminListener: NamedService {
    let service: any Service
    let address: HostPort
    let others: [HostPort]
    let bound: BoundAddresses
    let logger: Logger

    func run() async throws {
        do {
            try await service.run()
        } catch let error where error is IOError {
            try Listeners.tolerate(error, at: address, setting: "listen.admin", others: others, logger)
            bound.addAdmin(nil)
            try await gracefulShutdown()
        }
    }
}

extension Configuration {
    var adminConfiguration: AdminConfiguration {
        AdminConfiguration(
            token: admin.token, allowedHosts: admin.allowedHosts, silencedFindings: silencedLintRules, hasPage: page)
    }

    /// - Parameter makeService: Gets an address, and what to call with the one that it is bound to.
    func adminListeners(
        _ bound: BoundAddresses, _ logger: Logger,
        _ makeService: (HostPort, @escaping @Sendable (SocketAddress) async -> Void) -> any Service
    ) -> [any Service] {
        listen.admin.map { address in
            AdminListener(
                service: makeService(address) { bound.addAdmin($0.text) }, address: address, others: listen.admin,
                bound: bound, logger: logger)
        }
    }

    func checkAddresses() throws(StartError) {
        let lists = Configuration.Listen.lists.map { ($0.setting, listen[keyPath: $0.addresses]) }
        guard lists.contains(where: { !$0.1.isEmpty }) else {
            throw StartError("no listener has an address: set one of \(lists.map(\.0).joined(separator: ", ")).")
        }
        var owners: [HostPort: String] = [:]
        for (name, addresses) in lists {
            for address in addresses where address.port != 0 {
                guard let owner = owners.updateValue(name, forKey: address) else { continue }
                let place = owner == name ? "in \(name)" : "in \(owner) and \(name)"
                throw StartError("\(address.text) is listed twice, \(place): change or remove one.")
            }
        }
        guard admin.token == nil, !admin.open, let exposed = listen.admin.first(where: { !$0.isLoopback }) else {
            return
        }
        throw StartError(
            "listen.admin has \(exposed.text), which other machines can reach: set admin.token, or admin.open=true if a "
                + "separate network protects it.")
    }
}
