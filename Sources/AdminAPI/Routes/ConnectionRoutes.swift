internal import Gateway
internal import Hummingbird
internal import JSON

/// Providers' connections, open and lately closed.
struct ConnectionRoutes: Sendable {
    let gateway: Gateway

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/connections") { _ in
                Response(json: ["connections": .array(gateway.connections.map { JSONValue($0) })])
            },
            Endpoint(.get, "/connections/{number}") { request in
                let number = try request.number("number", UInt32.self)
                guard let connection = gateway.connection(number) else {
                    throw AdminError.notFound(
                        "There is no connection \(number); closed connections are retained for a limited time.")
                }
                return Response(json: JSONValue(connection))
            },
        ]
    }
}
