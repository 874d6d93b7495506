internal import CSQLite
package import DeviceSimulator
internal import Glibc
internal import Synchronization

/// A journal in a SQLite file: every group of inputs is one synced transaction.
/// The process locks the file while it is open; the lock ends with the process.
package final class SQLiteJournal: Journal {
    package let file: String
    private let logFile: String
    /// nil once closed.
    private let connection: Mutex<SQLiteConnection?>
    /// The opened files by path. Once a path leads to another file, the next start would not find what is written.
    private let identities: [String: FileIdentity?]

    /// - Parameter maximumPageCount: the file counts as full beyond it; for tests of a full disk.
    package init(file: String, maximumPageCount: Int? = nil) throws(JournalProblem) {
        self.file = file
        Self.createForOwner(file)
        do {
            let connection = try SQLiteConnection(file: file)
            // Exclusive before WAL: then the WAL index is in memory, and no other process can open the file.
            try connection.run("PRAGMA locking_mode = EXCLUSIVE")
            // Check before the first write, so that a foreign file does not change.
            try JournalSchema.check(connection, file: file)
            // Sync the log with every commit, so that answered inputs survive a power failure.
            try connection.run(
                """
                PRAGMA journal_mode = WAL;
                PRAGMA synchronous = FULL;
                PRAGMA wal_autocheckpoint = 4000;
                PRAGMA journal_size_limit = 67108864;
                """)
            if let maximumPageCount { try connection.run("PRAGMA max_page_count = \(maximumPageCount)") }
            try connection.write { try JournalSchema.make(connection) }
            self.connection = Mutex(connection)
        } catch {
            throw JournalProblem(error, file: file)
        }
        // SQLite follows links, and has its other files beside the file itself.
        let resolved = realpath(file, nil)
        let target = resolved.map { String(cString: $0) } ?? file
        free(resolved)
        logFile = target + "-wal"
        // Of older versions, or copied. It is a journal and ours to change: its schema was checked.
        for suffix in ["", "-wal", "-shm"] { chmod(target + suffix, 0o600) }
        identities = Dictionary(uniqueKeysWithValues: [file, logFile].map { ($0, FileIdentity($0)) })
    }

    /// It has payloads, tokens and webhooks' secrets. SQLite gives its other files the same mode.
    private static func createForOwner(_ file: String) {
        // Only a new file: closing a descriptor releases the locks that this process has on a file. SQLite reports a failure.
        // A link to a file that does not exist yet is one, too, but `O_EXCL` refuses it.
        var status = stat()
        let isOpenLink = lstat(file, &status) == 0 && stat(file, &status) != 0
        let descriptor = Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC | (isOpenLink ? 0 : O_EXCL), 0o600)
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Lets the file grow to this many pages; for tests of a full disk.
    package func allowPages(_ count: Int) throws(JournalProblem) {
        try use { try $0.run("PRAGMA max_page_count = \(count)") }
    }

    package func append(_ batches: [JournalBatch]) throws(JournalProblem) {
        try write { connection in
            for batch in batches {
                try connection.execute(
                    "INSERT INTO batches (last, previous, count, writtenAt, checksum, bytes) VALUES (?, ?, ?, ?, ?, ?)",
                    .init(batch.last), .init(batch.previous), .integer(Int64(batch.count)), .integer(batch.writtenAt),
                    .init(batch.checksum), .bytes(batch.bytes))
            }
        }
    }

    package func batches(after position: UInt64, limit: Int) throws(JournalProblem) -> [JournalBatch] {
        try use { connection in
            try connection.execute(
                """
                SELECT previous, last, count, writtenAt, bytes, checksum FROM batches
                WHERE last > ? ORDER BY last LIMIT ?
                """, .init(position), .integer(Int64(limit))
            ).map { row in
                guard let batch = JournalBatch(row) else {
                    throw JournalProblem(damaged: file, "a group of inputs has other values than this release writes")
                }
                return batch
            }
        }
    }

    package func checkpoint() throws(JournalProblem) -> JournalCheckpoint? {
        let rows = try use { connection in
            try connection.execute(
                "SELECT position, checksum, bytes FROM checkpoint LEFT JOIN parts USING (position) ORDER BY number")
        }
        guard let position = rows.first?[0].bits else { return nil }
        var parts: [[UInt8]] = []
        for row in rows {
            // Null for a checkpoint without parts.
            guard let bytes = row[2].bytes else { continue }
            guard JournalBatch.checksum(of: bytes) == row[1].bits else {
                throw JournalProblem(damaged: file, "a part of its checkpoint was changed")
            }
            parts.append(bytes)
        }
        return JournalCheckpoint(position: position, parts: parts)
    }

    package func replaceCheckpoint(_ checkpoint: JournalCheckpoint) throws(JournalProblem) {
        let position = SQLiteConnection.Value(checkpoint.position)
        // Write each part by itself, so that a group of inputs waits for at most one part.
        try write { try $0.execute("DELETE FROM parts WHERE position NOT IN (SELECT position FROM checkpoint)") }
        for (number, bytes) in checkpoint.parts.enumerated() {
            try write { connection in
                try connection.execute(
                    "INSERT OR REPLACE INTO parts (position, number, checksum, bytes) VALUES (?, ?, ?, ?)", position,
                    .integer(Int64(number)), .init(JournalBatch.checksum(of: bytes)), .bytes(bytes))
            }
        }
        try write { connection in
            try connection.execute("INSERT OR REPLACE INTO checkpoint (id, position) VALUES (1, ?)", position)
            try connection.execute(
                "DELETE FROM parts WHERE position <> ? OR number >= ?", position,
                .integer(Int64(checkpoint.parts.count)))
        }
    }

    package func trim(_ settings: JournalSettings, now: Int64) throws(JournalProblem) {
        try write { connection in
            try connection.execute(
                """
                DELETE FROM batches WHERE last <= (SELECT position FROM checkpoint)
                AND (last <= (SELECT position FROM checkpoint) - ? OR writtenAt < ?)
                """, .integer(Int64(settings.retainedCount)), .integer(now - settings.retainedAge))
        }
    }

    /// Writes as much as a group of inputs may need, and deletes it.
    package func probe() throws(JournalProblem) {
        try write { try $0.execute("INSERT INTO probes (bytes) VALUES (zeroblob(\(1 << 20)))") }
        try write { try $0.execute("DELETE FROM probes") }
    }

    package func byteCount() -> Int64 {
        [file, logFile].reduce(0) { sum, path in
            var status = stat()
            return stat(path, &status) == 0 ? sum + Int64(status.st_size) : sum
        }
    }

    /// If closing fails, the next start recovers the file.
    package func close() { connection.withLock { $0 = nil } }

    // MARK: Errors

    private func write(_ body: (SQLiteConnection) throws -> Void) throws(JournalProblem) {
        try use { connection in
            try connection.write {
                try body(connection)
                for (path, identity) in identities where FileIdentity(path) != identity {
                    throw JournalProblem(removed: path)
                }
            }
        }
    }

    private func use<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws(JournalProblem) -> Result {
        do {
            return try connection.withLock { connection in
                guard let connection else { throw SQLiteFailure(SQLITE_MISUSE, of: nil) }
                return try body(connection)
            }
        } catch {
            throw JournalProblem(error, file: file)
        }
    }
}

extension JournalBatch {
    fileprivate init?(_ row: [SQLiteConnection.Value]) {
        guard let previous = row[0].bits, let last = row[1].bits, let count = row[2].integer,
            let writtenAt = row[3].integer, let bytes = row[4].bytes, let checksum = row[5].bits
        else { return nil }
        self.init(
            previous: previous, last: last, count: Int(count), writtenAt: writtenAt, bytes: bytes, checksum: checksum)
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
    private static let applicationID: Int64 = 0x5043_6A6E
    /// Incremented with each change of the tables, of the records in them, or of a rule by which records are possible.
    static let version: Int64 = 10

    /// - Throws: `JournalProblem` for a file that is not a journal of this version.
    static func check(_ connection: SQLiteConnection, file: String) throws {
        let id = try connection.number("PRAGMA application_id")
        let version = try connection.number("PRAGMA user_version")
        let tableCount = try connection.number("SELECT count(*) FROM sqlite_master")
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

    static func make(_ connection: SQLiteConnection) throws {
        try connection.run(
            """
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
        guard let error = error as? SQLiteFailure else {
            self.init(file: file, reason: "cannot be used (\(error))", remedy: "Check the file")
            return
        }
        let detail = error.message
        switch error.code {
        case SQLITE_FULL:
            self.init(
                file: file, reason: "cannot grow: the disk is full",
                remedy: "Free some space; the gateway then resumes by itself")
        case SQLITE_BUSY, SQLITE_LOCKED:
            self.init(
                file: file, reason: "is in use by another process",
                remedy: "Stop that process, or set sqlite.file to another file")
        case SQLITE_NOTADB:
            self.init(
                file: file, reason: "is not a SQLite file, or its header is damaged",
                remedy: "Restore a copy of the journal, or remove it to start empty")
        case SQLITE_CORRUPT: self.init(damaged: file, detail)
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH:
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
