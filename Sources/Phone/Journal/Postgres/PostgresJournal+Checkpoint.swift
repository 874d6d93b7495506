package import DeviceSimulator
internal import Synchronization

extension PostgresJournal {
    package func checkpoint() throws(JournalProblem) -> JournalCheckpoint? {
        let rows = try whole { session throws(PostgresFailure) in
            try session.connection.execute(
                """
                SELECT position, coalesce(number, -1), coalesce(checksum, 0), coalesce(bytes, '')
                FROM pushcote_checkpoints LEFT JOIN pushcote_parts USING (house, position)
                WHERE house = $1 ORDER BY number
                """, [house], patience: Self.readPatience
            ).rows
        }
        guard let position = rows.first?.position(0) else { return nil }
        // A checkpoint without parts has one row, without a number.
        let parts = rows.filter { $0.integer(1) >= 0 }
        for part in parts where JournalBatch.checksum(of: part.columns[3]) != part.position(2) {
            throw JournalProblem(
                file: file, reason: "is damaged (a part of its checkpoint was changed)",
                remedy: "Restore a copy of the database, or set postgres.house to another name to start empty")
        }
        return JournalCheckpoint(position: position, parts: parts.map { $0.columns[3] })
    }

    package func replaceCheckpoint(_ checkpoint: JournalCheckpoint) throws(JournalProblem) {
        let position = PostgresValue.position(checkpoint.position)
        // Write each part by itself, so that a group of inputs waits for at most one part.
        for (number, bytes) in checkpoint.parts.enumerated() {
            let checksum = JournalBatch.checksum(of: bytes)
            try fenced { execute throws(PostgresFailure) in
                try execute(
                    """
                    INSERT INTO pushcote_parts (house, position, number, checksum, bytes) VALUES ($1, $2, $3, $4, $5)
                    ON CONFLICT (house, position, number) DO UPDATE
                    SET checksum = EXCLUDED.checksum, bytes = EXCLUDED.bytes
                    """, [position, .integer(Int64(number)), .position(checksum), .bytes(bytes)])
            }
        }
        let time = session.withLock { $0.latestTime }
        try fenced { execute throws(PostgresFailure) in
            try execute(
                """
                INSERT INTO pushcote_checkpoints (house, position, written_at) VALUES ($1, $2, $3)
                ON CONFLICT (house) DO UPDATE SET position = EXCLUDED.position, written_at = EXCLUDED.written_at
                """, [position, .integer(time)])
            try execute(
                "DELETE FROM pushcote_parts WHERE house = $1 AND (position <> $2 OR number >= $3)",
                [position, .integer(Int64(checkpoint.parts.count))])
        }
    }

    package func trim(_ settings: JournalSettings, now: Int64) throws(JournalProblem) {
        try fenced { execute throws(PostgresFailure) in
            try execute(
                """
                DELETE FROM pushcote_batches USING pushcote_checkpoints AS checkpoint
                WHERE pushcote_batches.house = $1 AND checkpoint.house = $1 AND last <= checkpoint.position
                AND (last <= checkpoint.position - $2 OR pushcote_batches.written_at < $3)
                """, [.integer(Int64(settings.retainedCount)), .integer(now - settings.retainedAge)])
        }
        let size = try whole { session throws(PostgresFailure) in
            try session.connection.execute(
                """
                SELECT coalesce(sum(octet_length(bytes)), 0)::bigint FROM (
                    SELECT bytes FROM pushcote_batches WHERE house = $1
                    UNION ALL SELECT bytes FROM pushcote_parts WHERE house = $1) AS rows
                """, [house], patience: Self.readPatience
            ).rows.first?.integer(0) ?? 0
        }
        retainedByteCount.store(size, ordering: .relaxed)
    }

    /// Runs statements in one transaction, as the owner.
    /// - Parameter body: Gets a function that executes a statement, whose first parameter is the house.
    func fenced(
        _ body: ((_ statement: String, _ parameters: [PostgresValue]) throws(PostgresFailure) -> Void)
            throws(PostgresFailure) -> Void
    ) throws(JournalProblem) {
        try whole { session throws(PostgresFailure) in
            let connection = session.connection
            do throws(PostgresFailure) {
                try connection.execute("BEGIN", patience: Self.patience)
                if try connection.execute(Self.ownerOfHouse, [house, epoch], patience: Self.patience).count == 0 {
                    throw Self.taken
                }
                try body { statement, parameters throws(PostgresFailure) in
                    try connection.execute(statement, [house] + parameters, patience: Self.readPatience)
                }
                try connection.execute("COMMIT", patience: Self.patience)
            } catch {
                if case .refused = error { try connection.execute("ROLLBACK", patience: Self.patience) }
                // The next statements must not join a transaction that may still be open.
                if case .unknown = error { connection.close() }
                throw error
            }
        }
    }

    // MARK: Pictures

    /// Stores a file for the gateways that take over, and removes the oldest ones beyond a limit.
    package func store(_ bytes: [UInt8], as digest: String, now: Int64, limit: Int) throws(JournalProblem) {
        try fenced { execute throws(PostgresFailure) in
            try execute(
                """
                INSERT INTO pushcote_media (house, digest, put_at, size, bytes) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (house, digest) DO UPDATE SET put_at = EXCLUDED.put_at
                """, [.text(digest), .integer(now), .integer(Int64(bytes.count)), .bytes(bytes)])
            try execute(
                """
                DELETE FROM pushcote_media WHERE house = $1 AND digest IN (SELECT digest FROM (
                    SELECT digest, sum(size) OVER (ORDER BY put_at DESC, digest) AS total
                    FROM pushcote_media WHERE house = $1) AS files WHERE total > $2)
                """, [.integer(Int64(limit))])
        }
    }

    /// - Returns: nil when there is no such file, or the database is out of reach.
    package func file(_ digest: String) -> [UInt8]? {
        try? whole { session throws(PostgresFailure) in
            try session.connection.execute(
                "SELECT bytes FROM pushcote_media WHERE house = $1 AND digest = $2", [house, .text(digest)],
                patience: Self.patience
            ).rows.first?.columns[0]
        }
    }
}
