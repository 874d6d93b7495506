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
