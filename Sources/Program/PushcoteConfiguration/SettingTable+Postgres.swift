internal import Fields

extension Setting {
    static let shared: [Setting] = [
        Setting(
            "postgres.connection", \.postgres.connection, .optional(.name), isSecret: true,
            "The connection string for journal: postgres, as libpq reads it; TLS is sslmode and sslrootcert in it. "
                + "Name all servers of a cluster: the gateway finds the primary."),
        Setting(
            "postgres.connectionFile", \.postgres.connectionFile, .optional(.path),
            "A file with the connection string instead, such as a mounted secret."),
        Setting(
            "postgres.house", \.postgres.house, .name,
            "The name under which gateways share a state. Gateways of other houses may use the same database."),
        Setting(
            "postgres.address", \.postgres.address, .optional(.name),
            "The address of this gateway's admin API that its standbys show; without one, the address it listens on."),
        Setting(
            "postgres.lease", \.postgres.lease,
            .duration(in: Duration.seconds(1)...Duration.seconds(3600), "from 1s to 1h"),
            "How long standbys wait before they replace a dead owner. The owner renews its lease three times within it."
        ),
        Setting(
            "postgres.requireQuorum", \.postgres.requireQuorum, .flag,
            "Accept pushes only if a standby of the database syncs every commit: synchronous_standby_names is set, and "
                + "fsync is on."),
        Setting(
            "postgres.checkpointEvery", \.postgres.checkpointEvery, .integer(in: 1...Int.max), unit: "inputs",
            "A checkpoint is written after this many pushes and other changes; a takeover replays at most this many."),
    ]
}
