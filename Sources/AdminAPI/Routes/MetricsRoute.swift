internal import Gateway
internal import Hummingbird

/// Numbers for Prometheus.
struct MetricsRoute: Sendable {
    let gateway: Gateway
    let information: @Sendable () -> ServerInformation

    var endpoint: Endpoint {
        Endpoint(.get, "/metrics") { _ in
            let metrics = Metrics(gateway: gateway, information: information())
            return Response(bytes: metrics.bytes, type: "text/plain; version=0.0.4; charset=utf-8")
        }
    }
}
