internal import AdminAPI
internal import DeviceSimulator
internal import Fields
internal import Files
internal import FoundationEssentials
internal import Journal
package import Logging
internal import Media
internal import NIOPosix
package import PushcoteConfiguration
internal import ServiceLifecycle
internal import Synchronization
internal import Time
internal import UnixSignals

/// What the owner of a house has.
struct House: Sendable {
    let journal: PostgresJournal
    let door: StandbyResponder
    /// The listeners of the door. nil for an address that this machine does not have.
    let adminAddresses: [String]
    let departures = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// The latest time of the owners before this one, whose clocks may be ahead.
    let earliestTime: Instant

    var leave: @Sendable () -> Void { { [departures] in departures.continuation.yield() } }

    /// Real time, but never before that of an earlier owner.
    var now: @Sendable () -> Instant {
        { [earliestTime] in max(SystemClock.now(), earliestTime) }
    }

    var archive: MediaArchive {
        MediaArchive(
            put: { [journal] bytes, digest, limit throws(FileProblem) in
                do throws(JournalProblem) {
                    try journal.store(bytes, as: digest, now: SystemClock.now().milliseconds, limit: limit)
                } catch {
                    throw FileProblem(path: error.file, reason: error.reason)
                }
            }, file: { [journal] digest in journal.file(digest) })
    }
}

/// One of several gateways that share a house in Postgres: stands by until it owns the house, then serves.
package struct StandbyServer: Sendable {
    private let configuration: Configuration
    private let sources: ConfigurationSources
    private let logger: Logger
    private let address: PostgresAddress
    private let door: StandbyResponder
    private let bound = BoundAddresses()
    private let loops = MultiThreadedEventLoopGroup(numberOfThreads: UsableCores.count)

    /// - Throws: `StartError` or `FileProblem`.
    package init(_ configuration: Configuration, sources: ConfigurationSources, logger: Logger) throws {
        try configuration.checkAddresses()
        (self.configuration, self.sources, self.logger) = (configuration, sources, logger)
        address = try Self.address(configuration.postgres)
        door = StandbyResponder(
            configuration: configuration.adminConfiguration, closed: "it has not reached the database yet",
            logger: logger)
    }

    private static func address(_ settings: Configuration.Postgres) throws -> PostgresAddress {
        let fromFile = try settings.connectionFile.map {
            try FileStore.text($0).split(whereSeparator: \.isNewline).first
        }
        guard let text = settings.connection ?? fromFile.flatMap(\.self).map(String.init) else {
            throw StartError(
                "journal: postgres needs a connection string: set PUSHCOTE_POSTGRES_CONNECTION, or postgres.connectionFile "
                    + "to a file that contains it.")
        }
        do throws(JournalProblem) {
            return try PostgresAddress(text)
        } catch {
            throw StartError("\(error).")
        }
    }

    /// Serves until a signal, a handover, or another gateway takes the house.
    /// - Throws: `StartError`, also when another gateway has taken the house.
    package func run(whenReady: @escaping @Sendable (RunningGateway) async throws -> Void) async throws {
        let listeners = configuration.adminListeners(bound, logger) { address, onBound in
            door.makeService(host: address.host, port: address.port, group: loops, onBound: onBound)
        }
        let owner = OwnerService {
            defer { bound.cancel() }
            try await own(whenReady)
        }
        // The owner is last, so that it stops first.
        try await ServiceGroup(listeners + [owner], endingOn: [.sigterm, .sigint], logger).run()
    }

    private func own(_ whenReady: @escaping @Sendable (RunningGateway) async throws -> Void) async throws {
        guard let addresses = await bound.all(adminCount: configuration.listen.admin.count)?.admin else { return }
        let settings = configuration.postgres
        let lease = OwnerLease(
            PostgresSettings(
                address: address, house: settings.house,
                owner: LeaseOwner(
                    name: ProcessInfo.processInfo.hostName, address: settings.address ?? addresses.first ?? ""),
                lease: settings.lease, requiresQuorum: settings.requireQuorum))
        let journal = PostgresJournal(lease)
        let earliestTime = try await onOwnThread(stop: { lease.stop() }, onShutdown: { lease.stop() }) {
            try becomeOwner(journal, lease, addresses)
        }
        guard let earliestTime else { return }
        let house = House(journal: journal, door: door, adminAddresses: addresses, earliestTime: earliestTime)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                guard let successor = try await onOwnThread(stop: { lease.stop() }, { lease.run() }) else { return }
                house.leave()
                throw StartError(
                    "\(successor) has taken over the house \(settings.house). Start this gateway again as its standby.")
            }
            tasks.addTask {
                // Not before the journal is closed: its last checkpoint needs the lease.
                defer { lease.stop() }
                let server = try PushcoteServer(configuration, sources: sources, house: house, logger: logger)
                try await server.run(on: loops, handlesSignals: true, whenReady: whenReady)
            }
            var failure: (any Error)?
            // Both end by themselves; cancelling them would cut providers' connections.
            while let result = await tasks.nextResult() {
                if case .failure(let error) = result { failure = failure ?? error }
            }
            if let failure { throw failure }
        }
    }

    /// - Returns: The earliest time of this owner; nil when it was stopped.
    private func becomeOwner(_ journal: PostgresJournal, _ lease: OwnerLease, _ addresses: [String]) throws -> Instant?
    {
        var time: Int64 = 0
        do throws(JournalProblem) {
            if let guarantee = try journal.guarantee() { logger.notice("\(guarantee)") }
            let isOwner = try lease.acquire { () throws(JournalProblem) in
                time = try journal.takeOver(now: SystemClock.now().milliseconds)
            } report: { standing in
                switch standing {
                case .standby(let owner):
                    door.close("standby of \(owner)")
                    logger.notice(
                        "Standing by", metadata: ["owner": "\(owner)", "admin": "\(addresses.joined(separator: " "))"])
                case .unreachable(let problem):
                    door.close("the database is out of reach")
                    logger.warning("The database is out of reach", metadata: ["problem": "\(problem)"])
                }
            }
            guard isOwner else { return nil }
        } catch {
            throw StartError("\(error).")
        }
        door.close("it is taking over the house")
        logger.notice("Owns the house", metadata: ["house": "\(configuration.postgres.house)"])
        return Instant(milliseconds: time)
    }
}

private struct OwnerService: LeadingService {
    let body: @Sendable () async throws -> Void

    init(_ body: @escaping @Sendable () async throws -> Void) { self.body = body }

    func run() async throws { try await body() }
}
