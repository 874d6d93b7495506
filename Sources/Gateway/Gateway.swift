package import APNs
package import DeviceSimulator
internal import ExtensionHost
internal import Synchronization
internal import TLSEngine

/// The state behind every listener: who may push, what was pushed, and the devices that get it.
package final class Gateway: Sendable {
    package let simulator: DeviceSimulator
    let authenticator: Authenticator
    let requestLog: RequestLog
    let connectionLog = ConnectionLog()
    /// What goes wrong because somebody asked for it.
    package let faults: FaultPlan
    /// The clock that everything goes by.
    package let clock: SimulatedClock
    /// Where identifiers come from; the same seed gives the same identifiers.
    package let seed: UInt64
    /// Keeps what happens on disk; `nil` when nothing is kept.
    package let keeper: JournalKeeper?
    /// Held while the clock and what is noted about it change together.
    let clockNote = Mutex<Void>(())
    /// Where pictures and attachments are kept.
    let keptMedia = Mutex(KeptMedia())
    /// Who runs service extensions; nil until the gateway serves.
    let employedHost = Mutex<ExtensionHost?>(nil)
    private let current: Mutex<GatewaySettings>
    private let settingsRevision = Atomic<UInt64>(1)
    /// Pushes by hand so far; each gets identifiers of its own.
    let localPushCount = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - requestCapacity: How many requests the log keeps.
    ///   - tokenCapacity: How many verified tokens are remembered.
    ///   - keeper: Keeps the simulator's journal; opened already.
    ///   - now: Real time.
    package init(
        settings: GatewaySettings, simulator: DeviceSimulator, seed: UInt64, requestCapacity: Int, tokenCapacity: Int,
        keeper: JournalKeeper? = nil, now: @escaping @Sendable () -> Instant
    ) {
        self.simulator = simulator
        self.seed = seed
        faults = FaultPlan(seed: seed)
        clock = SimulatedClock(realTime: now)
        authenticator = Authenticator(cacheCapacity: tokenCapacity)
        requestLog = RequestLog(capacity: requestCapacity)
        current = Mutex(settings)
        self.keeper = keeper
        restoreMetadata()
        keeper?.onRollback { [weak self] in self?.restoreMetadata() }
    }

    /// How the gateway behaves; connections follow a change with their next request.
    package var settings: GatewaySettings {
        get { current.withLock { $0 } }
        set {
            current.withLock { $0 = newValue }
            settingsRevision.add(1, ordering: .releasing)
        }
    }

    var revision: UInt64 { settingsRevision.load(ordering: .acquiring) &+ authenticator.keys.revision << 32 }

    package var keys: KeyStore { authenticator.keys }

    /// What time it is on the gateway's clock.
    package func now() -> Instant { clock.now() }

    /// Begins a provider's connection.
    /// - Parameter certificate: The client certificate, when there is one.
    package func connect(_ facts: ConnectionFacts, certificate: CertificateCredential?) -> ProviderConnection {
        ProviderConnection(gateway: self, entry: connectionLog.open(facts), certificate: certificate)
    }

    /// Every connection that is remembered, oldest first.
    package var connections: [ConnectionSnapshot] { connectionLog.snapshots }

    /// One connection; `nil` when it is not remembered.
    package func connection(_ number: UInt32) -> ConnectionSnapshot? { connectionLog.entry(number)?.snapshot }

    package var openConnectionCount: Int { connectionLog.openCount }

    /// Streams above the announced limit that were refused, on all connections there were.
    package var refusedStreamCount: UInt64 { connectionLog.refusedStreams.load(ordering: .relaxed) }

    /// Requests after `since` that match, oldest first.
    package func requests(
        since: UInt64, limit: Int, where matches: (RequestRecord) -> Bool = { _ in true }
    ) -> RequestPage {
        requestLog.page(since: since, limit: limit, where: matches)
    }

    package func request(_ number: UInt64) -> RequestRecord? { requestLog.record(number) }

    /// Yields after the first request, after the first one that follows a call of `awaitRequest`, and when a service extension
    /// has finished; for one reader.
    package var requestArrivals: AsyncStream<Void> { requestLog.arrivals }

    /// Makes `requestArrivals` yield once there is a request after `number`.
    package func awaitRequest(after number: UInt64) { requestLog.awaitRecord(after: number) }

    /// Forgets all recorded requests.
    /// - Returns: How many there were.
    @discardableResult
    package func removeRequests() -> Int { requestLog.removeAll() }

    /// What became of all requests so far.
    package var requestCounts: RequestCounts { requestLog.counts }

    /// The token a device's registration gets: the same for the same device, topic, environment, kind and generation, so
    /// that tests can write it down.
    ///
    /// It is SHA-256 over the words below, joined with line feeds; longer tokens go on with a counter.
    package static func deriveToken(_ request: TokenRequest) -> DeviceToken {
        let words = [
            "pushcote-token-1", request.device, request.topic, request.environment.rawValue, request.kind.rawValue,
            String(request.generation),
        ]
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

/// What goes wrong because somebody asked for it.
extension Gateway {
    /// Whether a client that connects now is to be treated badly; nothing is known of it yet.
    package func acceptFault() -> FaultFiring? {
        guard faults.has(.accept) else { return nil }
        return faults.fire(.accept, FaultFacts(), at: now())
    }
}
