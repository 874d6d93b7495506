internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
package import Logging
package import NIOCore
package import ServiceLifecycle
internal import Synchronization

/// The admin listeners of a gateway with standbys: they open before the gateway has a state.
package final class StandbyResponder: Sendable {
    typealias Answer = @Sendable (Request) async throws -> Response

    private enum State {
        /// - reason: Without a full stop.
        case closed(reason: String)
        case open(Answer)
    }

    private let state: Mutex<State>
    private let configuration: AdminConfiguration
    private let logger: Logger

    package init(configuration: AdminConfiguration, closed reason: String, logger: Logger) {
        state = Mutex(.closed(reason: reason))
        (self.configuration, self.logger) = (configuration, logger)
    }

    /// Answers every request with 503 and the reason, except `/livez` and `/metrics`.
    package func close(_ reason: String) { state.withLock { $0 = .closed(reason: reason) } }

    func open(_ answer: @escaping Answer) { state.withLock { $0 = .open(answer) } }

    /// A service that listens until graceful shutdown.
    package func makeService(
        host: String, port: Int, group: any EventLoopGroup, onBound: @escaping @Sendable (SocketAddress) async -> Void
    ) -> some Service {
        AdminListener(
            respond: respond, configuration: configuration, host: host, port: port, group: group, logger: logger,
            onBound: onBound)
    }

    @Sendable private func respond(to request: Request) async throws -> Response {
        switch state.withLock({ $0 }) {
        case .open(let answer): return try await answer(request)
        case .closed(let reason):
            switch Endpoint.unversioned(request.uri.path) {
            case "/livez": return Response(json: ["status": .string("ok")])
            case "/metrics": return Metrics.standby.response
            case "/readyz":
                return Response(
                    json: ["status": .string("standby"), "reason": .string(reason)], status: .serviceUnavailable)
            default: return AdminError.unavailable("This gateway does not serve: \(reason).").response
            }
        }
    }
}
