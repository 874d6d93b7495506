internal import GRDB

/// The tables of a journal's file.
enum JournalSchema {
    /// Identifies these files: `PCjn`.
    private static let applicationID: Int32 = 0x5043_6A6E
    /// Incremented with each change of the tables or of the records in them.
    private static let version: Int32 = 4

    enum Mismatch: Error {
        case foreign
        case version(Int32)
    }

    /// Throws for a file that is not a journal of this version.
    static func check(_ database: Database) throws {
        let id = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let tableCount = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        guard id == applicationID else {
            if id == 0, tableCount == 0 { return }
            throw Mismatch.foreign
        }
        guard version == Self.version else { throw Mismatch.version(version) }
    }

    /// Creates missing tables.
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
