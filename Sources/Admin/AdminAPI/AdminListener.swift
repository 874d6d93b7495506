internal import Glibc
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import ServiceLifecycle

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
