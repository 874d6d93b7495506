/// Tables that all houses of a database share. Plain SQL without functions, locks and messages of Postgres' own.
enum PostgresSchema {
    /// The unique (name, epoch) makes changes of the epoch, but not renewals, wait for writes that hold `FOR KEY SHARE`.
    private static let tables = [
        """
        CREATE TABLE IF NOT EXISTS pushcote_houses (
            name text PRIMARY KEY, version bigint NOT NULL, epoch bigint NOT NULL, owner text NOT NULL,
            address text NOT NULL, until timestamptz NOT NULL, UNIQUE (name, epoch))
        """,
        """
        CREATE TABLE IF NOT EXISTS pushcote_batches (
            house text NOT NULL, previous bigint NOT NULL, last bigint NOT NULL, epoch bigint NOT NULL,
            count bigint NOT NULL, written_at bigint NOT NULL, checksum bigint NOT NULL, bytes bytea NOT NULL,
            PRIMARY KEY (house, previous))
        """,
        """
        CREATE TABLE IF NOT EXISTS pushcote_checkpoints (
            house text PRIMARY KEY, position bigint NOT NULL, written_at bigint NOT NULL)
        """,
        """
        CREATE TABLE IF NOT EXISTS pushcote_parts (
            house text NOT NULL, position bigint NOT NULL, number bigint NOT NULL, checksum bigint NOT NULL,
            bytes bytea NOT NULL, PRIMARY KEY (house, position, number))
        """,
        """
        CREATE TABLE IF NOT EXISTS pushcote_media (
            house text NOT NULL, digest text NOT NULL, put_at bigint NOT NULL, size bigint NOT NULL,
            bytes bytea NOT NULL, PRIMARY KEY (house, digest))
        """,
    ]

    /// Creates what is missing.
    /// - Throws: `otherVersion` for a house that this release cannot read. Also when two gateways create the tables at the
    ///   same moment; try again then.
    static func make(
        _ house: String, in connection: PostgresConnection, patience: Duration
    ) throws(PostgresFailure) {
        // Asks first: not every user may create tables.
        let names = "'pushcote_houses', 'pushcote_batches', 'pushcote_checkpoints', 'pushcote_parts', 'pushcote_media'"
        let known = try connection.execute(
            """
            SELECT count(*) FROM information_schema.tables
            WHERE table_schema = current_schema() AND table_name IN (\(names))
            """, patience: patience)
        if known.rows.first?.integer(0) ?? 0 < tables.count {
            for table in tables { try connection.execute(table, patience: patience) }
        }
        try connection.execute(
            """
            INSERT INTO pushcote_houses (name, version, epoch, owner, address, until)
            VALUES ($1, $2, 0, '', '', clock_timestamp()) ON CONFLICT (name) DO NOTHING
            """, [.text(house), .integer(JournalSchema.version)], patience: patience)
        let found = try connection.execute(
            "SELECT version FROM pushcote_houses WHERE name = $1", [.text(house)], patience: patience)
        guard let version = found.rows.first?.integer(0), version != JournalSchema.version else { return }
        throw .refused(
            code: otherVersion, message: "is a journal of version \(version), which this release does not read")
    }

    /// Not an SQLSTATE, so that no server sends it.
    static let otherVersion = "version"
}
