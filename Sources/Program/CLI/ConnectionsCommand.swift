internal import ArgumentParser
internal import JSON

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
    static let head = ["NUMBER", "OPENED", "FROM", "LISTENER", "HTTP", "TLS", "SNI", "ACCEPTED", "REJECTED", "ENDED"]
    static let nothing = "No provider has connected yet."
    var maximum: Int? { options.maximum }
    var element: String? { number.map { String($0) } }

    static func row(_ connection: JSONValue) -> [String] {
        let cells = ["number", "openedAt", "remoteAddress", "traffic", "httpVersion"].map { connection[$0] }
        let tls = ["version", "serverName"].map { connection["tls"]?[$0] }
        let counts = ["accepted", "refused"].map { connection[$0] }
        let ending = connection["limit"] ?? connection["ending"] ?? .string("")
        return (cells + tls + counts + [ending]).map { $0?.word.onOneLine ?? "-" }
    }
}
