package import DeviceSimulator
internal import Dispatch
internal import Synchronization

package struct PostgresSettings: Sendable {
    package var address: PostgresAddress
    package var house: String
    /// This gateway, as standbys name it.
    package var owner: LeaseOwner
    package var lease: Duration
    /// Whether to write only if a standby syncs every commit.
    package var requiresQuorum: Bool

    package init(address: PostgresAddress, house: String, owner: LeaseOwner, lease: Duration, requiresQuorum: Bool) {
        self.address = address
        self.house = house
        self.owner = owner
        self.lease = lease
        self.requiresQuorum = requiresQuorum
    }
}

package struct LeaseOwner: Sendable, Hashable, CustomStringConvertible {
    package var name: String
    /// Of the admin API.
    package var address: String

    package init(name: String, address: String) {
        self.name = name
        self.address = address
    }

    package var description: String { address.isEmpty ? name : "\(name) at \(address)" }
}

/// Gives a house to one gateway at a time: a row in the database, which the owner renews while it runs.
///
/// The lease decides who answers; the epoch, compared within every write, rejects what a former owner still writes
/// (`PostgresJournal`). `acquire` and `run` block their thread.
package final class OwnerLease: Sendable {
    /// Why a standby does not own its house.
    package enum Standing: Sendable, Hashable {
        case standby(of: LeaseOwner)
        case unreachable(String)
    }

    let settings: PostgresSettings
    private struct State {
        var epoch: Int64 = 0
        var heldUntil: ContinuousClock.Instant?
        var isLost = false
        var isStopping = false
        var hasQuorum = false

        var isHeld: Bool { !isLost && heldUntil.map { $0 > .now } == true }
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let session: Mutex<PostgresConnection>

    package init(_ settings: PostgresSettings) {
        self.settings = settings
        // Renewing must not wait for standbys: an owner stays the owner without them. Its first batch proves that a quorum
        // has the epoch.
        session = Mutex(
            PostgresConnection(settings.address) { connection throws(PostgresFailure) in
                try connection.execute("SET synchronous_commit = local", patience: .seconds(2))
            })
    }

    /// Whether it is held is up to this gateway's own clock, which also runs while the process is paused.
    var ownership: JournalOwnership {
        state.withLock { JournalOwnership(isHeld: $0.isHeld, epoch: $0.epoch, hasQuorum: $0.hasQuorum) }
    }

    var epoch: Int64 { state.withLock { $0.epoch } }

    /// Called on each connection that writes.
    func set(hasQuorum: Bool) { state.withLock { $0.hasQuorum = hasQuorum } }

    /// Called when a write finds another epoch.
    func lose() {
        state.withLock { $0.isLost = true }
        wake.signal()
    }

    /// Makes `acquire` and `run` return.
    package func stop() {
        state.withLock { $0.isStopping = true }
        wake.signal()
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    // MARK: Standing by

    /// Waits until the house is free, and takes it.
    ///
    /// - Parameters:
    ///   - prepare: Called with the lease, until it returns or another gateway has the house.
    ///   - report: Called when the reason to wait changes.
    /// - Returns: false after `stop()`.
    /// - Throws: When waiting cannot help.
    package func acquire(
        preparing prepare: () throws(JournalProblem) -> Void, report: (Standing) -> Void
    ) throws(JournalProblem) -> Bool {
        var last: Standing?
        var isMade = false
        var isOwner = false
        while !isStopping {
            var standing: Standing?
            do throws(PostgresFailure) {
                if !isMade {
                    try session.withLock { session throws(PostgresFailure) in
                        try PostgresSchema.make(settings.house, in: session, patience: patience)
                    }
                }
                isMade = true
                if !isOwner { standing = try take() }
            } catch .refused(code: PostgresSchema.otherVersion, let message) {
                throw JournalProblem(
                    file: "house \(settings.house)", reason: message,
                    remedy: "Use the release that wrote it, or set postgres.house to another name")
            } catch {
                standing = .unreachable(error.message)
            }
            if standing == nil {
                do throws(JournalProblem) {
                    try prepare()
                    return true
                } catch {
                    standing = .unreachable("\(error)")
                }
                isOwner = renew() == nil
            }
            if let standing, standing != last { report(standing) }
            last = standing
            wake.wait(atMost: .milliseconds(200))
        }
        if isOwner { giveBack() }
        return false
    }

    /// - Returns: nil when the house is this gateway's.
    private func take() throws(PostgresFailure) -> Standing? {
        let start = ContinuousClock.now
        let taken = try execute(
            """
            UPDATE pushcote_houses SET epoch = epoch + 1, owner = $2, address = $3,
                until = clock_timestamp() + $4 * interval '1 millisecond'
            WHERE name = $1 AND until < clock_timestamp() RETURNING epoch
            """, [.text(settings.owner.name), .text(settings.owner.address), .integer(leaseMilliseconds)])
        if let epoch = taken.rows.first?.integer(0) {
            state.withLock { state in
                state.epoch = epoch
                state.isLost = false
                state.heldUntil = start + span
            }
            return nil
        }
        return .standby(of: try owner())
    }

    private func owner() throws(PostgresFailure) -> LeaseOwner {
        let found = try execute("SELECT owner, address FROM pushcote_houses WHERE name = $1", [])
        return LeaseOwner(name: found.rows.first?.text(0) ?? "", address: found.rows.first?.text(1) ?? "")
    }

    // MARK: Owning

    /// Renews the lease until `stop()`, and then gives it back, or until another gateway has the house.
    /// - Returns: The new owner; nil when it was stopped.
    package func run() -> LeaseOwner? {
        while true {
            if isStopping {
                giveBack()
                return nil
            }
            if let successor = renew() {
                state.withLock { $0.isLost = true }
                return successor
            }
            wake.wait(atMost: settings.lease / 3)
        }
    }

    /// - Returns: The new owner if there is one. A database out of reach lets the lease run out and be renewed later.
    private func renew() -> LeaseOwner? {
        let start = ContinuousClock.now
        do throws(PostgresFailure) {
            let renewed = try execute(
                """
                UPDATE pushcote_houses SET until = clock_timestamp() + $3 * interval '1 millisecond'
                WHERE name = $1 AND epoch = $2
                """, [.integer(epoch), .integer(leaseMilliseconds)])
            if renewed.count == 0 { return try owner() }
            state.withLock { $0.heldUntil = start + span }
        } catch {}
        return nil
    }

    private func giveBack() {
        state.withLock { $0.heldUntil = nil }
        // If this fails, the lease runs out.
        _ = try? execute(
            "UPDATE pushcote_houses SET until = clock_timestamp() WHERE name = $1 AND epoch = $2", [.integer(epoch)])
        session.withLock { $0.close() }
    }

    // MARK: Statements

    /// The first parameter is the house.
    private func execute(
        _ statement: String, _ parameters: [PostgresValue]
    ) throws(PostgresFailure) -> PostgresResult {
        try session.withLock { session throws(PostgresFailure) in
            try session.execute(statement, [.text(settings.house)] + parameters, patience: patience)
        }
    }

    private var leaseMilliseconds: Int64 { Int64(settings.lease / .milliseconds(1)) }

    /// Shorter than the database's lease, from before the statement that set it: clocks may run at different speeds.
    private var span: Duration { settings.lease * 9 / 10 }

    private var patience: Duration { settings.lease / 3 }
}

extension PostgresFailure {
    var message: String {
        switch self {
        case .refused(_, let message), .unknown(let message), .unreachable(let message): message
        }
    }
}
