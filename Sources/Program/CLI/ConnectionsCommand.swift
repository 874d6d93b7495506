internal import ArgumentParser

struct ConnectionsCommand: ListCommand {
    static let configuration = CommandConfiguration(
        "connections",
        abstract: "List the connections of providers, open and closed, oldest first, or show one connection.",
        discussion: """
            With a number, shows the client's TLS, SETTINGS, provider tokens and GOAWAY frames, too.

            EXAMPLES
              pushcote connections
              pushcote connections 3
              pushcote connections --json | jq '.connections[-1].tls'
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The connection's number; without it, all connections.") var number: UInt32?

    @OptionGroup var options: ListOptions

    static let member = "connections"
    static let columns = [
        Column("NUMBER", "number", or: "-"), Column("OPENED", "openedAt", or: "-"),
        Column("FROM", "remoteAddress", or: "-"), Column("LISTENER", "traffic", or: "-"),
        Column("HTTP", "httpVersion", or: "-"), Column("TLS", "tls.version", or: "-"),
        Column("SNI", "tls.serverName", or: "-"), Column("ACCEPTED", "accepted"), Column("REJECTED", "refused"),
        Column("ENDED", "limit", "ending"),
    ]
    static let nothing = "No provider has connected yet."
    var maximum: Int? { options.maximum }
    var element: String? { number.map { String($0) } }
}
