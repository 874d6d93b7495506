internal import Gateway
internal import Hummingbird
internal import JSON

/// What this gateway is, where it listens, and how much it holds.
struct InformationRoute: Sendable {
    let gateway: Gateway
    let information: @Sendable () -> ServerInformation

    var endpoint: Endpoint {
        Endpoint(.get, "/info") { _ in
            Response(json: JSONValue(information(), of: gateway))
        }
    }
}
