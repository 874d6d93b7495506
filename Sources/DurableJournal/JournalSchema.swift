internal import DeviceSimulator
internal import GRDB

enum JournalSchema {
    /// Identifies journal files: `PCjn`.
    private static let applicationID: Int32 = 0x5043_6A6E
    /// Incremented with each change of the tables or of the records in them.
    static let version: Int32 = 7

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
