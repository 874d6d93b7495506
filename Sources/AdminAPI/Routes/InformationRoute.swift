internal import Gateway
internal import Hummingbird

/// What this gateway is, where it listens, and how much it holds.
struct InformationRoute: Sendable {
    let gateway: Gateway
    let information: @Sendable () -> ServerInformation

    var endpoint: Endpoint {
        Endpoint(.get, "/info") { _ in
            Response(json: JSONTree(information(), of: gateway))
        }
    }
}
