package import DeviceSimulator
internal import Synchronization

/// A journal in Postgres: every group of inputs is one row, and a commit is on as many servers as the primary waits for.
///
/// Two gateways never write one history: a batch names the one before it, which has at most one successor, and the epoch of
/// its lease, which the database compares within the write. Checking the lease first would not be enough: a process may be
/// paused between the check and the write.
package final class PostgresJournal: Journal {
    package let file: String
    let lease: OwnerLease
    let session: Mutex<Session>
    private let isInDoubt = Atomic<Bool>(false)
    let retainedByteCount = Atomic<Int64>(0)
    /// A group of inputs that takes longer is refused.
    static let patience = Duration.seconds(2)

    struct Session: ~Copyable {
        let connection: PostgresConnection
        /// Set while the connection is in doubt; only `probe` tries again, so that nothing else blocks.
        var doubt: JournalProblem?
        /// In milliseconds since 1970: the latest time of any owner of the house.
        var latestTime: Int64 = 0
    }

    /// Opens no connection.
    package init(_ lease: OwnerLease) {
        self.lease = lease
        file = "house \(lease.settings.house)"
        session = Mutex(
            Session(
                connection: PostgresConnection(lease.settings.address) { connection throws(PostgresFailure) in
                    let durability = try Durability(preparing: connection, patience: Self.patience)
                    lease.set(hasQuorum: durability.isQuorum)
                    guard !lease.settings.requiresQuorum || durability.isQuorum else {
                        throw .unreachable("no standby syncs its commits, which postgres.requireQuorum asks for")
                    }
                }))
    }

    /// Also not held while the state may be ahead of a database that cannot be read to undo what it refused.
    package var ownership: JournalOwnership? {
        var ownership = lease.ownership
        ownership.isHeld = ownership.isHeld && !isInDoubt.load(ordering: .sequentiallyConsistent)
        return ownership
    }

    /// What an answer of 200 means.
    /// - Returns: nil while the database is out of reach.
    /// - Throws: When it means less than `requiresQuorum` asks for.
    package func guarantee() throws(JournalProblem) -> String? {
        let connection = PostgresConnection(lease.settings.address) { _ in }
        guard let durability = try? Durability(preparing: connection, patience: Self.patience) else { return nil }
        guard !lease.settings.requiresQuorum || durability.isQuorum else {
            throw JournalProblem(
                file: "postgres.requireQuorum", reason: "asks for commits that a standby syncs, but \(durability.text)",
                remedy: "Set synchronous_standby_names and fsync on the server, or postgres.requireQuorum to false")
        }
        return durability.text
    }

    /// Proves with an empty batch that everything read afterwards is where commits must be, and that no other gateway adds
    /// to it.
    /// - Parameter now: In milliseconds since 1970.
    /// - Returns: The latest time of any owner so far, before which the devices' time must not go back.
    package func takeOver(now: Int64) throws(JournalProblem) -> Int64 {
        let end = try whole(retrying: true) { session throws(PostgresFailure) in
            let found = try session.connection.execute(
                """
                SELECT coalesce(max(last), 0)::bigint, coalesce(max(written_at), 0)::bigint FROM (
                    SELECT last, written_at FROM pushcote_batches WHERE house = $1
                    UNION ALL SELECT position, written_at FROM pushcote_checkpoints WHERE house = $1) AS entries
                """, [house], patience: Self.patience)
            session.latestTime = max(session.latestTime, found.rows.first?.integer(1) ?? 0)
            return (position: found.rows.first?.integer(0) ?? 0, time: session.latestTime)
        }
        // A house without inputs has nothing to prove.
        guard end.position > 0 else { return end.time }
        let position = UInt64(bitPattern: end.position)
        try append([
            JournalBatch(
                previous: position, last: position + 1, count: 0, writtenAt: max(now, end.time), bytes: [],
                checksum: JournalBatch.checksum(of: []))
        ])
        return end.time
    }

    // MARK: Writing

    package func append(_ batches: [JournalBatch]) throws(JournalProblem) {
        guard let batch = JournalBatch(joining: batches) else { return }
        try whole { session throws(PostgresFailure) in
            // Not before: a statement of a checkpoint may have had the session.
            let deadline = ContinuousClock.now + Self.patience
            while true {
                do throws(PostgresFailure) {
                    try insert(batch, with: session.connection, until: deadline)
                    break
                } catch .refused(code: "23505", _) {
                    // The place is taken, perhaps by this batch at an earlier attempt.
                    if try isWritten(batch, with: session.connection, until: deadline) { break }
                } catch .unknown(let reason) {
                    // Trying again waits for an attempt that has not ended, and finds the place taken if that succeeded.
                    guard ContinuousClock.now < deadline else { throw .unknown(reason) }
                }
            }
            session.latestTime = max(session.latestTime, batch.writtenAt)
        }
        retainedByteCount.add(Int64(batch.bytes.count), ordering: .relaxed)
    }

    private func insert(
        _ batch: JournalBatch, with connection: PostgresConnection, until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) {
        try insert(
            """
            INSERT INTO pushcote_batches (house, epoch, previous, last, count, written_at, checksum, bytes)
            SELECT $1, $2, $3, $4, $5, $6, $7, $8 FROM owner
            """,
            [
                .position(batch.previous), .position(batch.last), .integer(Int64(batch.count)),
                .integer(batch.writtenAt), .position(batch.checksum), .bytes(batch.bytes),
            ], with: connection, until: deadline)
    }

    /// - Parameter statement: Selects from `owner`. Its first parameters are the house and the epoch.
    private func insert(
        _ statement: String, _ parameters: [PostgresValue], with connection: PostgresConnection,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) {
        let written = try connection.execute(
            "WITH owner AS (\(Self.ownerOfHouse)) \(statement)", [house, epoch] + parameters,
            patience: deadline - .now)
        if written.count == 0 { throw Self.taken }
    }

    /// Reads the chain after an unknown outcome.
    ///
    /// - Returns: false when the batch's place is free.
    /// - Throws: When another batch has the place, which the keeper then reads.
    private func isWritten(
        _ batch: JournalBatch, with connection: PostgresConnection, until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> Bool {
        let found = try connection.execute(
            "SELECT epoch, last, checksum FROM pushcote_batches WHERE house = $1 AND previous = $2",
            [house, .position(batch.previous)], patience: deadline - .now)
        guard let row = found.rows.first else { return false }
        guard row.integer(0) == lease.epoch, row.position(1) == batch.last, row.position(2) == batch.checksum else {
            if row.integer(0) > lease.epoch { throw Self.taken }
            throw .refused(code: "", message: "an earlier group of inputs was written after all")
        }
        // The primary has it, but perhaps no standby: a later commit proves that one has both.
        try prove(byteCount: 0, with: connection, until: deadline)
        return true
    }

    /// A row that no checkpoint has.
    private func prove(
        byteCount: Int, with connection: PostgresConnection, until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) {
        try insert(
            """
            INSERT INTO pushcote_parts (house, position, number, checksum, bytes) SELECT $1, -1, $2, 0, $3 FROM owner
            ON CONFLICT (house, position, number) DO UPDATE SET bytes = EXCLUDED.bytes
            """, [.bytes([UInt8](repeating: 0, count: byteCount))], with: connection, until: deadline)
    }

    /// Writes as much as a group of inputs may need, and deletes it.
    package func probe() throws(JournalProblem) {
        try whole(retrying: true) { session throws(PostgresFailure) in
            let deadline = ContinuousClock.now + Self.patience
            try prove(byteCount: 1 << 20, with: session.connection, until: deadline)
            try session.connection.execute(
                "DELETE FROM pushcote_parts WHERE house = $1 AND position = -1", [house], patience: deadline - .now)
        }
    }

    // MARK: Reading

    package func batches(after position: UInt64, limit: Int) throws(JournalProblem) -> [JournalBatch] {
        try whole { session throws(PostgresFailure) in
            try session.connection.execute(
                """
                SELECT previous, last, count, written_at, checksum, bytes FROM pushcote_batches
                WHERE house = $1 AND previous >= $2 ORDER BY previous LIMIT $3
                """, [house, .position(position), .integer(Int64(limit))], patience: Self.readPatience
            ).rows.map { JournalBatch($0) }
        }
    }

    package func byteCount() -> Int64 { retainedByteCount.load(ordering: .relaxed) }

    package func close() { session.withLock { $0.connection.close() } }

    // MARK: The fence

    /// Locks the epoch against a takeover until the statement or transaction ends; no row when this gateway lost the house.
    static let ownerOfHouse = "SELECT 1 FROM pushcote_houses WHERE name = $1 AND epoch = $2 FOR KEY SHARE"

    /// Reading a part of a large journal may take longer than writing a group.
    static let readPatience = Duration.seconds(30)

    /// Not an SQLSTATE, so that no server sends it.
    static let takenCode = "taken"
    static let taken = PostgresFailure.refused(code: takenCode, message: "another gateway has taken over")

    var house: PostgresValue { .text(lease.settings.house) }
    var epoch: PostgresValue { .integer(lease.epoch) }

    /// Runs statements without others in between.
    ///
    /// - Parameter retrying: Whether to use a connection in doubt.
    func whole<Result>(
        retrying: Bool = false, _ body: (inout Session) throws(PostgresFailure) -> Result
    ) throws(JournalProblem) -> Result {
        try session.withLock { session throws(JournalProblem) in
            if !retrying, let doubt = session.doubt { throw doubt }
            defer { isInDoubt.store(session.doubt != nil, ordering: .sequentiallyConsistent) }
            do throws(PostgresFailure) {
                let result = try body(&session)
                session.doubt = nil
                return result
            } catch {
                let problem = JournalProblem(error, place: file)
                switch error {
                case .refused(code: Self.takenCode, _): lease.lose()
                case .refused: session.doubt = nil
                case .unknown, .unreachable: session.doubt = problem
                }
                throw problem
            }
        }
    }
}

extension JournalBatch {
    /// One batch of all inputs, because each row costs a commit; nil without inputs.
    fileprivate init?(joining batches: [JournalBatch]) {
        guard let first = batches.first, let last = batches.last else { return nil }
        self = first
        guard batches.count > 1 else { return }
        bytes = batches.reduce(into: []) { $0 += $1.bytes }
        self.last = last.last
        count = batches.reduce(0) { $0 + $1.count }
        checksum = Self.checksum(of: bytes)
    }

    fileprivate init(_ row: PostgresRow) {
        self.init(
            previous: row.position(0), last: row.position(1), count: Int(row.integer(2)), writtenAt: row.integer(3),
            bytes: row.columns[5], checksum: row.position(4))
    }
}

/// The meaning of a commit with the server's configuration.
struct Durability: Equatable {
    var syncs: Bool
    /// As in `synchronous_standby_names`; empty for none.
    var standbys: String

    var isQuorum: Bool { syncs && !standbys.isEmpty }

    /// - Note: Commits of this connection wait for standbys whatever the server's default is.
    init(preparing connection: PostgresConnection, patience: Duration) throws(PostgresFailure) {
        try connection.execute("SET synchronous_commit = on", patience: patience)
        // pglz, the default, takes half of the CPU time of a commit. Servers without lz4 keep it.
        try connection.execute(
            """
            SELECT set_config(name, 'lz4', false) FROM pg_settings
            WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)
            """, patience: patience)
        let found = try connection.execute(
            "SELECT current_setting('fsync'), current_setting('synchronous_standby_names')", patience: patience)
        syncs = found.rows.first?.text(0) == "on"
        standbys = found.rows.first?.text(1) ?? ""
    }

    var text: String {
        guard syncs else { return "200 means: committed on the primary, which does not sync (fsync is off)" }
        return standbys.isEmpty
            ? "200 means: committed and synced on the primary alone (synchronous_standby_names is empty)"
            : "200 means: committed and synced on the primary and on standbys: \(standbys)"
    }
}

extension JournalProblem {
    /// - Parameter place: The house.
    init(_ failure: PostgresFailure, place: String) {
        let remedy = "The gateway resumes by itself when the database answers"
        switch failure {
        case .refused(code: PostgresJournal.takenCode, let message):
            self.init(file: place, reason: message, remedy: "This gateway leaves; start it again as a standby")
        case .refused(code: "53100", _):
            self.init(
                file: place, reason: "cannot grow: the database's disk is full",
                remedy: "Free some space; the gateway then resumes by itself")
        case .refused(let code, let message):
            self.init(
                file: place,
                reason: "cannot be written or read (\(message)\(code.isEmpty ? "" : ", SQLSTATE \(code)"))",
                remedy: "Check the database and the rights of its user; the gateway resumes by itself when it can write"
            )
        case .unknown(let message):
            self.init(file: place, reason: "the database has not confirmed a write (\(message))", remedy: remedy)
        case .unreachable(let message):
            self.init(file: place, reason: "the database cannot be reached (\(message))", remedy: remedy)
        }
    }
}
