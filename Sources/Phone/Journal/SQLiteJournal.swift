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
        Self.createForOwner(file)
        do {
            database = try DatabaseQueue(path: file, configuration: configuration)
            try database.inTransaction(.exclusive) { database in
                try JournalSchema.make(database)
                return .commit
            }
        } catch {
            throw JournalProblem(error, file: file)
        }
        // Of older versions, or copied. It is a journal and ours to change: its schema was checked.
        for suffix in ["", "-wal", "-shm"] { chmod(file + suffix, 0o600) }
        identities = Dictionary(uniqueKeysWithValues: [file, file + "-wal"].map { ($0, FileIdentity($0)) })
    }

    /// It has payloads, tokens and webhooks' secrets. SQLite gives its other files the same mode.
    private static func createForOwner(_ file: String) {
        // Only a new file: closing a descriptor releases the locks that this process has on a file. SQLite reports a failure.
        let descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { Glibc.close(descriptor) }
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

enum JournalSchema {
    /// Identifies journal files: `PCjn`.
    private static let applicationID: Int32 = 0x5043_6A6E
    /// Incremented with each change of the tables or of the records in them.
    static let version: Int32 = 8

    /// - Throws: `JournalProblem` for a file that is not a journal of this version.
    static func check(_ database: Database, file: String) throws {
        let id = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let tableCount = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        if id == 0, tableCount == 0 { return }
        guard id == applicationID else {
            throw JournalProblem(
                file: file, reason: "is the database of another program",
                remedy: "Set sqlite.file to a file that does not exist yet")
        }
        guard version == Self.version else {
            throw JournalProblem(
                file: file, reason: "is a journal of version \(version), which this release does not read",
                remedy: "Use the release that wrote it, or set sqlite.file to another file")
        }
    }

    static func make(_ database: Database) throws {
        try database.execute(
            sql: """
                PRAGMA application_id = \(applicationID);
                PRAGMA user_version = \(version);
                CREATE TABLE IF NOT EXISTS batches (
                    last INTEGER PRIMARY KEY, previous INTEGER NOT NULL, count INTEGER NOT NULL,
                    writtenAt INTEGER NOT NULL, checksum INTEGER NOT NULL, bytes BLOB NOT NULL);
                CREATE TABLE IF NOT EXISTS checkpoint (id INTEGER PRIMARY KEY, position INTEGER NOT NULL);
                CREATE TABLE IF NOT EXISTS parts (
                    position INTEGER NOT NULL, number INTEGER NOT NULL, checksum INTEGER NOT NULL,
                    bytes BLOB NOT NULL, PRIMARY KEY (position, number));
                CREATE TABLE IF NOT EXISTS probes (bytes BLOB NOT NULL);
                """)
    }
}

extension JournalProblem {
    init(_ error: any Error, file: String) {
        if let problem = error as? JournalProblem {
            self = problem
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(file: file, reason: "cannot be used (\(error))", remedy: "Check the file")
            return
        }
        let detail = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(
                file: file, reason: "cannot grow: the disk is full",
                remedy: "Free some space; the gateway then resumes by itself")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                file: file, reason: "is in use by another process",
                remedy: "Stop that process, or set sqlite.file to another file")
        case .SQLITE_NOTADB:
            self.init(
                file: file, reason: "is not a SQLite file, or its header is damaged",
                remedy: "Restore a copy of the journal, or remove it to start empty")
        case .SQLITE_CORRUPT: self.init(damaged: file, detail)
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
            self.init(
                file: file, reason: "cannot be opened for writing (\(detail))",
                remedy:
                    "Its folder must exist, and this user must be able to write both; set sqlite.file to another path if needed"
            )
        default:
            self.init(
                file: file, reason: "cannot be written or read (\(detail))",
                remedy: "Check the disk and its limits; the gateway resumes by itself when it can write the file")
        }
    }

    /// The open file is no longer the one that the next start would open.
    init(removed file: String) {
        self.init(
            file: file, reason: "was removed or replaced while it was in use",
            remedy:
                "Restore the same file (with mv, not a copy), or save GET /api/v1/state, restart, and restore it with PUT"
        )
    }

    init(damaged file: String, _ detail: String) {
        self.init(
            file: file, reason: "is damaged (\(detail))",
            remedy: "Restore a copy of the file, or remove it to start empty")
    }
}
