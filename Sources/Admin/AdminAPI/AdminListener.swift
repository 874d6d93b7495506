internal import Glibc
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
package import Logging
package import NIOCore
internal import NIOHTTP1
package import ServiceLifecycle
internal import Synchronization

/// Serves HTTP/1.1 until graceful shutdown.
struct AdminListener: Service {
    let respond: @Sendable (Request) async throws -> Response
    let configuration: AdminConfiguration
    let host: String
    /// 0 for any.
    let port: Int
    let group: any EventLoopGroup
    let logger: Logger
    let onBound: @Sendable (SocketAddress) async -> Void

    func run() async throws {
        // Hummingbird logs start and stop at `info`, and so does the caller.
        var logger = logger
        logger.logLevel = max(logger.logLevel, .notice)
        let http = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ClientDeadlines(request: configuration.requestTimeout, send: configuration.sendTimeout)
            ],
            idleTimeout: TimeAmount(configuration.idleTimeout),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 64 << 10, maxHeaderFieldCount: 100))
        let connections = MaximumAvailableConnections(configuration.maximumConnections, logger: logger)
        let server = try HTTPServerBuilder.http1(configuration: http).buildServer(
            configuration: ServerConfiguration(
                address: .hostname(host, port: port), availableConnectionsDelegate: connections),
            eventLoopGroup: group, logger: logger
        ) { request, writer, _ in
            try await answer(request, writer)
        } onServerRunning: { channel in
            if let address = channel.localAddress { await onBound(address) }
        }
        try await server.run()
    }

    private func answer(_ request: Request, _ writer: consuming ResponseWriter) async throws {
        var response = try await respond(request)
        response.headers[.date] = Self.date
        do {
            try await writer.write(response: response.head, body: response.body)
        } catch is HTTPParserError {
            // After this error, Hummingbird would write another answer.
            throw ChannelError.inputClosed
        }
    }

    /// Now, as in RFC 9110 §5.6.7. The program never leaves the C locale.
    private static var date: String {
        var (now, parts) = (time(nil), tm())
        gmtime_r(&now, &parts)
        return String(unsafeUninitializedCapacity: 32) { text in
            text.withMemoryRebound(to: CChar.self) {
                strftime($0.baseAddress!, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            }
        }
    }
}

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
