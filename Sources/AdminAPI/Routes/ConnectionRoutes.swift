internal import Gateway
internal import Hummingbird

/// Providers' connections, open and lately closed.
struct ConnectionRoutes: Sendable {
    let gateway: Gateway

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/connections") { _ in
                Response(json: ["connections": .array(gateway.connections.map { JSONTree($0) })])
            },
            Endpoint(.get, "/connections/{number}") { request in
                let number = try request.number("number", UInt32.self)
                guard let connection = gateway.connection(number) else {
                    throw AdminError.notFound(
                        "Connection \(number) is not known; closed ones are kept for a while only.")
                }
                return Response(json: JSONTree(connection))
            },
        ]
    }
}
