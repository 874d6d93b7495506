internal import DeviceSimulator
package import Gateway
internal import Hummingbird
internal import HummingbirdCore
package import Logging
package import NIOCore
package import ServiceLifecycle

/// The HTTP interface to the gateway's state: for tests, the command line and metrics.
package struct AdminAPI: Sendable {
    let gateway: Gateway
    let configuration: AdminConfiguration
    let documents: AdminDocuments
    let information: @Sendable () -> ServerInformation
    let isReady: @Sendable () -> Bool
    let logger: Logger

    /// - Parameters:
    ///   - information: What `/info` and `/metrics` say of the process; asked for each time.
    ///   - isReady: Whether every listener is open.
    package init(
        gateway: Gateway, configuration: AdminConfiguration, documents: AdminDocuments,
        information: @escaping @Sendable () -> ServerInformation,
        isReady: @escaping @Sendable () -> Bool,
        logger: Logger
    ) {
        self.gateway = gateway
        self.configuration = configuration
        self.documents = documents
        self.information = information
        self.isReady = isReady
        self.logger = logger
    }

    /// A service that listens on one address until graceful shutdown, which ends waits at once.
    ///
    /// - Parameters:
    ///   - host: A name or an address of either family.
    ///   - port: 0 lets the system choose.
    ///   - onBound: Gets the address in use, with the real port.
    package func makeService(
        host: String, port: Int, group: any EventLoopGroup, onBound: @escaping @Sendable (SocketAddress) async -> Void
    ) -> some Service {
        // Hummingbird reports its own start and stop as `info`; the caller does that.
        var logger = logger
        logger.logLevel = max(logger.logLevel, .notice)
        let http = HTTP1Channel.Configuration(
            additionalChannelHandlers: [
                ClientDeadlines(request: configuration.requestTimeout, send: configuration.sendTimeout)
            ],
            idleTimeout: TimeAmount(configuration.idleTimeout),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 64 << 10, maxHeaderFieldCount: 100))
        let application = Application(
            responder: router.buildResponder(), server: .http1(configuration: http),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    configuration.maximumConnections, logger: logger)),
            onServerRunning: { channel in
                if let address = channel.localAddress { await onBound(address) }
            },
            eventLoopGroupProvider: .shared(group), logger: logger)
        return AdminService(application: application, gateway: gateway)
    }

    /// Every method and path that is answered.
    package var paths: [(method: String, path: String, query: [String])] {
        table.endpoints.map { ($0.method.rawValue, $0.path, $0.query) }
    }

    private var table: EndpointTable {
        let open =
            HealthRoutes(isReady: isReady, keeper: gateway.keeper).endpoints
            + DocumentRoutes(documents: documents).endpoints
        let both = open + [MetricsRoute(gateway: gateway, information: information).endpoint]
        let nouns = [
            [InformationRoute(gateway: gateway, information: information).endpoint],
            KeyRoutes(gateway: gateway).endpoints,
            ConnectionRoutes(gateway: gateway).endpoints,
            DeviceRoutes(gateway: gateway).endpoints,
            RegistrationRoutes(gateway: gateway).endpoints,
            EventRoutes(gateway: gateway).endpoints,
            ScreenRoutes(gateway: gateway).endpoints,
            [PushRoute(gateway: gateway).endpoint],
            AppRoutes(gateway: gateway).endpoints,
            NotificationRoutes(gateway: gateway, silenced: configuration.silencedFindings).endpoints,
            MediaRoutes(gateway: gateway).endpoints,
            LintRoutes(gateway: gateway, silenced: configuration.silencedFindings).endpoints,
            RequestRoutes(gateway: gateway).endpoints,
            ClockRoutes(gateway: gateway).endpoints,
            FaultRoutes(gateway: gateway).endpoints,
            StateRoutes(gateway: gateway).endpoints,
        ]
        return EndpointTable(endpoints: both.map(\.atRoot) + both + nouns.flatMap(\.self))
    }

    private var router: Router<AdminContext> {
        let table = table
        let router = Router(context: AdminContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ErrorMiddleware(table: table))
        router.add(middleware: HostMiddleware(allowedHosts: configuration.allowedHosts))
        router.add(middleware: CrossSiteMiddleware())
        if let token = configuration.token { router.add(middleware: TokenMiddleware(token: token, table: table)) }
        if let keeper = gateway.keeper { router.add(middleware: JournalMiddleware(keeper: keeper, table: table)) }
        router.add(middleware: ClockMiddleware(gateway: gateway))
        for endpoint in table.endpoints {
            router.on(endpoint.routerPath, method: endpoint.method) { [configuration] request, context in
                let query = try RequestQuery(request.uri.query ?? "", accepting: endpoint.query)
                return try await endpoint.answer(
                    AdminRequest(request: request, context: context, query: query, configuration: configuration))
            }
        }
        return router
    }
}

/// One listener of the admin API.
private struct AdminService<Responder: HTTPResponder>: Service where Responder.Context == AdminContext {
    let application: Application<Responder>
    let gateway: Gateway

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await application.run()
        } onGracefulShutdown: {
            gateway.simulator.finishWaits()
        }
    }
}
