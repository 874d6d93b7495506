internal import APNs
package import Credentials
internal import DeviceSimulator
internal import Files
internal import Gateway
internal import PushcoteConfiguration
internal import TLSEngine

/// What a configuration becomes before anything listens: certificates, keys, devices. Everything that can be wrong with
/// files shows here.
package struct GatewayParts: Sendable {
    let gateway: Gateway
    let identity: CurrentIdentity
    let tls: TLSContext
    package let store: CertificateStore
    package let demonstrationKey: DemonstrationKey

    /// - Throws: `CertificateError`, `FileProblem`, `ConfigurationError` or `StartError`.
    init(_ configuration: Configuration, seed: UInt64) throws {
        let now = SystemClock.now
        store = CertificateStore(
            folder: configuration.certificates.folder, extraNames: configuration.certificates.names,
            now: SystemClock.seconds)
        let identity = try Self.identity(configuration, store)
        self.identity = CurrentIdentity(identity)
        tls = try Self.context(configuration, identity, store)
        demonstrationKey = try DemonstrationKey(in: store)
        let simulator = DeviceSimulator(
            limits: configuration.inbox, assumptions: configuration.assumptions, deriveToken: Gateway.deriveToken)
        let keeper = try configuration.openJournal(simulator)
        gateway = Gateway(
            settings: configuration.gatewaySettings, simulator: simulator, seed: seed,
            requestCapacity: configuration.requests.kept, tokenCapacity: 10_000, keeper: keeper, now: now)
        gateway.keys.register(
            ProviderKey(keyID: DemonstrationKey.keyID, teamID: DemonstrationKey.teamID),
            publicKey: demonstrationKey.key.publicKey)
        for key in try Self.read(configuration.contents.keys) {
            gateway.keys.register(key.key, publicKey: key.publicKey)
        }
        try configuration.register(
            in: simulator, at: gateway.now(), since: keeper.flatMap { _ in simulator.appliedFixtures })
        if let keeper {
            simulator.storeAppliedFixtures(configuration.contents)
            keeper.commit()
            if let problem = keeper.problem { throw StartError("sqlite.file: \(problem)") }
        }
        // Number and names were checked when the files were read.
        _ = try? configuration.setFaults(in: gateway)
    }

    /// The certificate that a configuration asks for.
    static func identity(_ configuration: Configuration, _ store: CertificateStore) throws -> ServerIdentity {
        if let chain = configuration.certificates.chain, let key = configuration.certificates.key {
            return try ConfiguredCertificate.load(chain: chain, key: key, now: SystemClock.seconds())
        }
        return try store.serverIdentity()
    }

    static func context(
        _ configuration: Configuration, _ identity: ServerIdentity, _ store: CertificateStore
    ) throws -> TLSContext {
        var authorities = store.files.ownAuthority.map { [$0] } ?? []
        for file in configuration.certificates.clientAuthorities {
            let remedy = "Set `certificates.clientAuthorities` to PEM files of certificate authorities."
            let text = try CertificateError.text(of: file, remedy: remedy)
            do {
                _ = try Certificate.chain(pem: text)
            } catch {
                throw CertificateError(
                    file: file, problem: "it cannot be used (\(error.reasons.joined(separator: "; ")))", remedy: remedy)
            }
            authorities.append(text)
        }
        var tls = TLSConfiguration(
            certificateChain: identity.chain, privateKey: identity.key,
            clientAuthorities: authorities.joined(separator: "\n"))
        tls.hostCertificate = identity.hostCertificate
        tls.acceptsMissingALPN = configuration.tls.acceptMissingALPN
        tls.maximumHandshakeByteCount = configuration.tls.maximumHandshakeBytes
        return try TLSContext(tls)
    }

    /// Reads the files of the configuration's provider keys.
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
                        place: entry.position.description,
                        message:
                            "file: \(entry.file): \(reason). Use the key's .p8 file, or a PEM file with its public key"
                    )
                ])
            }
        }
    }
}
