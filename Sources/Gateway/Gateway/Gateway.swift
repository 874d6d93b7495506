package import APNs
package import DeviceSimulator
internal import ExtensionHost
internal import Media
internal import Synchronization
internal import TLSEngine
package import Time
package import Webhooks

/// The state that all listeners share: provider credentials, request logs, faults and devices.
package final class Gateway: Sendable {
    package let simulator: DeviceSimulator
    let authenticator: Authenticator
    package let requestLog: RequestLog
    package let connectionLog = ConnectionLog()
    package let faults: FaultPlan
    let extensionFaults = ExtensionFaults()
    let asking = Mutex(())
    /// The ends of the outages that rules began, by device.
    let outages = Mutex<[String: Instant]>([:])
    package let webhooks: WebhookTable
    package let clock: SimulatedClock
    /// The same seed yields the same identifiers.
    package let seed: UInt64
    /// `nil` without a journal.
    package let keeper: JournalKeeper?
    /// Makes a change of the clock and its persisted copy atomic.
    let clockLock = Mutex<Void>(())
    /// Whether the clock shows a past that is not persisted.
    let isVisiting = Atomic(false)
    /// The store of images and attachments, opened on first use.
    let mediaFolder = Mutex<(path: String?, archive: MediaArchive?, store: MediaStore?)>((nil, nil, nil))
    /// nil until the gateway serves.
    let attachedHost = Mutex<ExtensionHost?>(nil)
    /// The metadata and the names of fault rules that the API set, to undo those that a rollback of the journal loses.
    let saved = Mutex<(names: Set<String>, faults: Set<String>)>(([], []))
    private let current: Mutex<GatewaySettings>
    private let settingsRevision = Atomic<UInt64>(1)
    let recording = Mutex<RunningRecording?>(nil)
    /// Tells the identifiers of this run from those of the state that was restored; 0 without one.
    private let salt = Atomic<UInt64>(0)
    /// Gives each direct push its own seed.
    let directPushCount = Atomic<UInt64>(0)

    /// - Parameter keeper: The simulator's journal, already open.
    package init(
        settings: GatewaySettings, simulator: DeviceSimulator, seed: UInt64, requestCapacity: Int, tokenCapacity: Int,
        keeper: JournalKeeper? = nil, now: @escaping @Sendable () -> Instant
    ) {
        self.simulator = simulator
        self.seed = seed
        faults = FaultPlan(seed: seed)
        webhooks = WebhookTable { [simulator] isFollowed in simulator.followEvents(isFollowed) }
        clock = SimulatedClock(realTime: now)
        authenticator = Authenticator(cacheCapacity: tokenCapacity)
        requestLog = RequestLog(capacity: requestCapacity, retention: simulator.limits.retention)
        current = Mutex(settings)
        self.keeper = keeper
        resumeFaultsOfFiles()
        restoreMetadata()
        goOn()
        keeper?.onRollback { [weak self] in self?.restoreMetadata() }
    }

    /// Connections apply a change at their next request.
    package var settings: GatewaySettings {
        get { current.withLock { $0 } }
        set {
            if newValue != settings { simulator.stopTape("the configuration was reloaded with other settings") }
            current.withLock { $0 = newValue }
            settingsRevision.add(1, ordering: .releasing)
        }
    }

    /// After a restart, or with a state loaded, the identifiers of the pushes before do not come again.
    var identifierSeed: UInt64 { seed ^ salt.load(ordering: .relaxed) }

    /// Begins where the restored state ends.
    func goOn() {
        // Mixed: a seed that is only greater could be a later place in the same sequence.
        let last = simulator.counters.lastSequence
        var generator = SplitMix64(seed: last)
        salt.store(last == 0 ? 0 : generator.word(), ordering: .relaxed)
        setBackFuture()
    }

    var revision: UInt64 { settingsRevision.load(ordering: .acquiring) &+ authenticator.keys.revision << 32 }

    package var keys: KeyStore { authenticator.keys }

    package func now() -> Instant { clock.now() }

    /// Ends all waits, present and future, for shutdown.
    package func finishWaits() {
        simulator.finishWaits()
        requestLog.finishWaits()
    }

    /// Long polls under way.
    package var waitCount: Int { simulator.counters.waits + requestLog.waitCount }

    package func connect(_ facts: ConnectionFacts, certificate: CertificateCredential?) -> ProviderConnection {
        ProviderConnection(gateway: self, entry: connectionLog.open(facts), certificate: certificate)
    }

    /// The fault for a new client, of which no facts are known.
    package func acceptFault() -> FaultFiring? {
        guard faults.has(.accept) else { return nil }
        return fireFault(.accept, FaultFacts(), at: now())
    }

    /// Derives a token that tests can hard-code: SHA-256 over the words below, joined with line feeds. Longer tokens
    /// append digests over the words and a counter.
    package static func deriveToken(_ request: TokenRequest) -> DeviceToken {
        let words =
            [
                "pushcote-token-1", request.device, request.topic, request.environment.rawValue, request.kind.rawValue,
                String(request.generation),
            ] + (request.subject.map { [$0] } ?? [])
        var bytes: [UInt8] = []
        var counter = 0
        while bytes.count < request.byteCount {
            let text = (words + (counter == 0 ? [] : [String(counter)])).joined(separator: "\n")
            bytes += SHA256.digest(Array(text.utf8).span.bytes)
            counter += 1
        }
        guard let token = DeviceToken(bytes: bytes.prefix(request.byteCount)) else {
            preconditionFailure("a digest is neither empty nor too long")
        }
        return token
    }
}
