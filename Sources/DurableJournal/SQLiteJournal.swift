package import DeviceSimulator
internal import FoundationEssentials
internal import GRDB
internal import Glibc

/// A journal in a SQLite file: every group of inputs is one synced transaction.
/// The process locks the file while it is open; the lock ends with the process.
package final class SQLiteJournal: Journal {
    package let file: String
    private let database: DatabaseQueue
    /// The opened files by path. Once a path leads to another file, the next start would not find what is written.
    private let identities: [String: FileIdentity?]

    /// - Parameter maximumPageCount: the file counts as full beyond it; for tests of a full disk.
    package init(file: String, maximumPageCount: Int? = nil) throws(JournalProblem) {
        self.file = file
        var configuration = GRDB.Configuration()
        configuration.label = "journal"
        // Long enough for a process that is just exiting.
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { database in
            // Exclusive before WAL: then the WAL index is in memory, and no other process can open the file.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            // Check before the first write, so that a foreign file does not change.
            try JournalSchema.check(database, file: file)
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            // Sync the log with every commit, so that answered inputs survive a power failure.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
            try database.execute(sql: "PRAGMA journal_size_limit = 67108864")
            if let maximumPageCount { try database.execute(sql: "PRAGMA max_page_count = \(maximumPageCount)") }
        }
        do {
            database = try DatabaseQueue(path: file, configuration: configuration)
            try database.inTransaction(.exclusive) { database in
                try JournalSchema.make(database)
                return .commit
            }
        } catch {
            throw JournalProblem(error, file: file)
        }
        identities = Dictionary(uniqueKeysWithValues: [file, file + "-wal"].map { ($0, FileIdentity($0)) })
    }

    /// Lets the file grow to this many pages; for tests of a full disk.
    package func allowPages(_ count: Int) throws(JournalProblem) {
        try read { try $0.execute(sql: "PRAGMA max_page_count = \(count)") }
    }

    package func append(_ batches: [JournalBatch]) throws(JournalProblem) {
        try write { database in
            let statement = try database.cachedStatement(
                sql: """
                    INSERT INTO batches (last, previous, count, writtenAt, checksum, bytes) VALUES (?, ?, ?, ?, ?, ?)
                    """)
            for batch in batches {
                try statement.execute(arguments: [
                    Int64(bitPattern: batch.last), Int64(bitPattern: batch.previous), batch.count, batch.writtenAt,
                    Int64(bitPattern: batch.checksum), Data(batch.bytes),
                ])
            }
        }
    }

    package func batches(after position: UInt64, limit: Int) throws(JournalProblem) -> [JournalBatch] {
        try read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM batches WHERE last > ? ORDER BY last LIMIT ?",
                arguments: [Int64(bitPattern: position), limit]
            ).map { JournalBatch($0) }
        }
    }

    package func checkpoint() throws(JournalProblem) -> JournalCheckpoint? {
        let rows = try read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT position, checksum, bytes FROM checkpoint LEFT JOIN parts USING (position) ORDER BY number"
            )
        }
        guard let position: Int64 = rows.first?["position"] else { return nil }
        var parts: [[UInt8]] = []
        for row in rows {
            // Null for a checkpoint without parts.
            guard let data: Data = row["bytes"] else { continue }
            let bytes = [UInt8](data)
            guard JournalBatch.checksum(of: bytes) == UInt64(bitPattern: row["checksum"]) else {
                throw JournalProblem(damaged: file, "a part of its checkpoint was changed")
            }
            parts.append(bytes)
        }
        return JournalCheckpoint(position: UInt64(bitPattern: position), parts: parts)
    }

    package func replaceCheckpoint(_ checkpoint: JournalCheckpoint) throws(JournalProblem) {
        let position = Int64(bitPattern: checkpoint.position)
        // Write each part by itself, so that a group of inputs waits for at most one part.
        try write { try $0.execute(sql: "DELETE FROM parts WHERE position NOT IN (SELECT position FROM checkpoint)") }
        for (number, bytes) in checkpoint.parts.enumerated() {
            try write { database in
                try database.execute(
                    sql: "INSERT OR REPLACE INTO parts (position, number, checksum, bytes) VALUES (?, ?, ?, ?)",
                    arguments: [position, number, Int64(bitPattern: JournalBatch.checksum(of: bytes)), Data(bytes)])
            }
        }
        try write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO checkpoint (id, position) VALUES (1, ?)", arguments: [position])
            try database.execute(
                sql: "DELETE FROM parts WHERE position <> ? OR number >= ?",
                arguments: [position, checkpoint.parts.count])
        }
    }

    package func trim(_ settings: JournalSettings, now: Int64) throws(JournalProblem) {
        try write { database in
            try database.execute(
                sql: """
                    DELETE FROM batches WHERE last <= (SELECT position FROM checkpoint)
                    AND (last <= (SELECT position FROM checkpoint) - ? OR writtenAt < ?)
                    """, arguments: [settings.retainedCount, now - settings.retainedAge])
        }
    }

    /// Writes as much as a group of inputs may need, and deletes it.
    package func probe() throws(JournalProblem) {
        try write { try $0.execute(sql: "INSERT INTO probes (bytes) VALUES (zeroblob(\(1 << 20)))") }
        try write { try $0.execute(sql: "DELETE FROM probes") }
    }

    package func byteCount() -> Int64 {
        [file, file + "-wal"].reduce(0) { sum, path in
            var status = stat()
            return stat(path, &status) == 0 ? sum + Int64(status.st_size) : sum
        }
    }

    package func close() {
        // If closing fails, the next start recovers the file.
        try? database.close()
    }

    // MARK: Errors

    private func write(_ body: (Database) throws -> Void) throws(JournalProblem) {
        do {
            try database.inTransaction(.immediate) { database in
                try body(database)
                for (path, identity) in identities where FileIdentity(path) != identity {
                    throw JournalProblem(removed: path)
                }
                return .commit
            }
        } catch {
            throw JournalProblem(error, file: file)
        }
    }

    private func read<Result>(_ body: (Database) throws -> Result) throws(JournalProblem) -> Result {
        do {
            return try database.inDatabase(body)
        } catch {
            throw JournalProblem(error, file: file)
        }
    }
}

extension JournalBatch {
    fileprivate init(_ row: Row) {
        self.init(
            previous: UInt64(bitPattern: row["previous"]), last: UInt64(bitPattern: row["last"]), count: row["count"],
            writtenAt: row["writtenAt"], bytes: [UInt8](row["bytes"] as Data),
            checksum: UInt64(bitPattern: row["checksum"]))
    }
}

/// Detects that a file was removed, replaced or renamed.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64

    /// nil when the file does not exist or is not accessible.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
