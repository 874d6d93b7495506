internal import APNs
package import Credentials
internal import DeviceSimulator
internal import Files
internal import Gateway
internal import Journal
internal import PushcoteConfiguration
internal import Relay
internal import TLSEngine
internal import Time
internal import Webhooks

/// Created from a configuration before anything listens: certificates, keys, devices. Reports problems with files.
package struct GatewayParts: Sendable {
    let gateway: Gateway
    let identity: CurrentIdentity
    let tls: TLSContext
    /// nil without a relay.
    let upstream: Upstream?
    package let store: CertificateStore
    package let demonstrationKey: DemonstrationKey
    /// What of the devices' files could not be applied.
    let skipped: [ConfigurationProblem]

    /// - Throws: `CertificateError`, `FileProblem`, `ConfigurationError` or `StartError`.
    init(_ configuration: Configuration, seed: UInt64, house: House?) throws {
        let now = house?.now ?? SystemClock.now
        store = CertificateStore(
            folder: configuration.certificates.folder, extraNames: configuration.certificates.names,
            now: SystemClock.seconds)
        let identity = try Self.identity(configuration, store)
        self.identity = CurrentIdentity(identity)
        tls = try Self.context(configuration, identity, store)
        do throws(Upstream.Problem) {
            upstream = try Upstream(configuration.relay)
        } catch {
            throw StartError(error.description)
        }
        if let upstream, upstream.leads(to: configuration.listen.provider) {
            throw StartError(
                "relay.url is this gateway's own address (listen.provider): it would relay each push to itself. "
                    + "Set it to another gateway, or to Apple.")
        }
        let own = Configuration.Listen.lists.flatMap { configuration.listen[keyPath: $0.addresses] }
        if let loop = configuration.contents.webhooks.map(\.value).first(where: { $0.leads(to: own) }) {
            throw StartError(
                "The url of the webhook \(loop.name) leads to this gateway itself: each delivery would cause the next. "
                    + "Set it to another program.")
        }
        demonstrationKey = try DemonstrationKey(in: store)
        let simulator = DeviceSimulator(
            limits: configuration.inbox, assumptions: configuration.assumptions, deriveToken: Gateway.deriveToken)
        let keeper = try Self.openJournal(configuration, simulator, house, now)
        gateway = Gateway(
            settings: configuration.gateway, simulator: simulator, seed: seed,
            requestCapacity: configuration.requestsKept, tokenCapacity: 10_000, keeper: keeper, now: now)
        gateway.keys.register(
            ProviderKey(keyID: DemonstrationKey.keyID, teamID: DemonstrationKey.teamID),
            publicKey: demonstrationKey.key.publicKey)
        for key in try Self.read(configuration.contents.keys) {
            gateway.keys.register(key.key, publicKey: key.publicKey)
        }
        // First, so that they receive the devices' events.
        configuration.setWebhooks(in: gateway)
        skipped = try configuration.register(
            in: simulator, at: gateway.now(), since: keeper.flatMap { _ in simulator.appliedFixtures })
        simulator.storeAppliedFixtures(configuration.contents, isKept: keeper != nil)
        // Reading the files has checked the number and the names.
        _ = try? configuration.setFaults(in: gateway)
        if let keeper {
            keeper.commit()
            if let problem = keeper.problem { throw StartError("\(configuration.journalSetting): \(problem)") }
        }
    }

    /// Opens the journal and replays it into the simulator; nil without a journal.
    private static func openJournal(
        _ configuration: Configuration, _ simulator: DeviceSimulator, _ house: House?,
        _ now: @escaping @Sendable () -> Instant
    ) throws(StartError) -> JournalKeeper? {
        var settings = JournalSettings(checkpointInterval: configuration.postgres.checkpointEvery)
        if configuration.journal == .postgres, house == nil {
            throw StartError("journal: postgres is for `pushcote serve`; set another journal.")
        }
        do throws(JournalProblem) {
            let journal: any Journal
            switch configuration.journal {
            case .memory: return nil
            case .sqlite:
                let sqlite = configuration.sqlite
                settings = JournalSettings(
                    checkpointInterval: sqlite.checkpointEvery, retainedCount: sqlite.kept,
                    retainedAge: Int64(sqlite.keptFor / .milliseconds(1)))
                journal = try SQLiteJournal(file: sqlite.file)
            case .postgres:
                guard let house else { return nil }
                journal = house.journal
            }
            let keeper = JournalKeeper(simulator, in: journal, settings: settings, now: { now().milliseconds })
            try keeper.open()
            return keeper
        } catch {
            throw StartError("\(configuration.journalSetting): \(error)")
        }
    }

    static func identity(_ configuration: Configuration, _ store: CertificateStore) throws -> ServerIdentity {
        if let chain = configuration.certificates.chain, let key = configuration.certificates.key {
            return try ServerIdentity(chain: chain, key: key, now: SystemClock.seconds())
        }
        return try store.serverIdentity()
    }

    static func context(
        _ configuration: Configuration, _ identity: ServerIdentity, _ store: CertificateStore
    ) throws -> TLSContext {
        var authorities = [store.files.ownAuthorities]
        for file in configuration.certificates.clientAuthorities {
            authorities.append(
                try CertificateError.certificates(
                    in: file, remedy: "Set `certificates.clientAuthorities` to PEM files of certificate authorities."))
        }
        var tls = TLSConfiguration(
            certificateChain: identity.chain, privateKey: identity.key,
            clientAuthorities: authorities.joined(separator: "\n"))
        tls.hostCertificate = identity.hostCertificate
        tls.acceptsMissingALPN = configuration.tls.acceptMissingALPN
        tls.maximumHandshakeByteCount = configuration.tls.maximumHandshakeBytes
        return try TLSContext(tls)
    }

    static func read(
        _ keys: [Fixtures.Key]
    ) throws(ConfigurationError) -> [(key: ProviderKey, publicKey: P256PublicKey)] {
        try keys.map { entry throws(ConfigurationError) in
            do {
                return (entry.key, try P256PublicKey(pem: FileStore.text(entry.file)))
            } catch {
                let reason = (error as? FileProblem)?.reason ?? "\(error)"
                throw ConfigurationError(problems: [
                    ConfigurationProblem(
                        entry.position,
                        "file: \(entry.file): \(reason). Use the key's .p8 file, or a PEM file with its public key")
                ])
            }
        }
    }
}

extension Configuration {
    fileprivate var journalSetting: String { journal == .postgres ? "postgres.house" : "sqlite.file" }
}

package struct StartError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
