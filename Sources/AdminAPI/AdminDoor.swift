internal import HTTPTypes
internal import Hummingbird
internal import JSON
package import Logging
package import NIOCore
package import ServiceLifecycle
internal import Synchronization

/// The admin listeners of a gateway with standbys: they open before the gateway has a state.
package final class AdminDoor: Sendable {
    typealias Answer = @Sendable (Request, AdminContext) async throws -> Response

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

    /// Answers every request with 503 and the reason, except `/livez`.
    package func close(_ reason: String) { state.withLock { $0 = .closed(reason: reason) } }

    func open(_ answer: @escaping Answer) { state.withLock { $0 = .open(answer) } }

    /// A service that listens until graceful shutdown.
    package func makeService(
        host: String, port: Int, group: any EventLoopGroup, onBound: @escaping @Sendable (SocketAddress) async -> Void
    ) -> some Service {
        configuration.application(
            DoorResponder(door: self), host: host, port: port, group: group, logger: logger, onBound: onBound)
    }

    fileprivate func answer(_ request: Request, _ context: AdminContext) async throws -> Response {
        let state = state.withLock { $0 }
        switch state {
        case .open(let answer): return try await answer(request, context)
        case .closed(let reason):
            switch request.uri.path {
            case "/livez", Endpoint.base + "/livez": return Response(json: ["status": .string("ok")])
            case "/readyz", Endpoint.base + "/readyz":
                return Response(
                    json: ["status": .string("standby"), "reason": .string(reason)], status: .serviceUnavailable)
            default: return AdminError.unavailable("This gateway does not serve: \(reason).").response
            }
        }
    }
}

private struct DoorResponder: HTTPResponder {
    let door: AdminDoor

    func respond(to request: Request, context: AdminContext) async throws -> Response {
        try await door.answer(request, context)
    }
}

/// Forwards requests from an `AdminDoor` to the API's responder.
struct DoorService<Responder: HTTPResponder>: Service where Responder.Context == AdminContext {
    let door: AdminDoor
    let responder: Responder

    func run() async throws {
        door.open(responder.respond(to:context:))
        try? await gracefulShutdown()
        door.close("it is stopping")
    }
}
