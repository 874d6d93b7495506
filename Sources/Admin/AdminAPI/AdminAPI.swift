package import Gateway
package import Logging
package import NIOCore
package import ServiceLifecycle

/// The HTTP interface to the gateway's state; each file in `Routes` adds one noun's endpoints.
package struct AdminAPI: Sendable {
    let gateway: Gateway
    let configuration: AdminConfiguration
    /// Called per request: certificates are renewed while the gateway runs.
    let documents: @Sendable (AdminDocument) -> [UInt8]
    let information: @Sendable () -> ServerInformation
    let isReady: @Sendable () -> Bool
    let edits = DeviceEdits()
    let demoTurn = DemoTurn()
    let redaction = AnswerRedaction()
    /// nil without standbys.
    let handOver: (@Sendable () -> Void)?
    let logger: Logger
    /// Run it beside the services of `makeService`, and stop it after them.
    package let feed: EventFeed
    /// `nil` without a configured token.
    let token: TokenCheck?

    /// - Parameter run: Random for each start of the program.
    package init(
        gateway: Gateway, configuration: AdminConfiguration, run: UInt32,
        documents: @escaping @Sendable (AdminDocument) -> [UInt8],
        information: @escaping @Sendable () -> ServerInformation, isReady: @escaping @Sendable () -> Bool,
        handOver: (@Sendable () -> Void)? = nil, logger: Logger
    ) {
        self.gateway = gateway
        self.configuration = configuration
        self.documents = documents
        self.information = information
        self.isReady = isReady
        self.handOver = handOver
        self.logger = logger
        feed = EventFeed(gateway, run: run)
        token = configuration.token.map { TokenCheck($0, now: configuration.now, logger) }
    }

    /// A service that listens until graceful shutdown, which ends long polls and event streams at once.
    /// - Parameter onBound: Receives the address with the actual port when `port` is 0.
    package func makeService(
        host: String, port: Int, group: any EventLoopGroup, onBound: @escaping @Sendable (SocketAddress) async -> Void
    ) -> some Service {
        let listener = AdminListener(
            respond: AdminResponder(self).respond, configuration: configuration, host: host, port: port, group: group,
            logger: logger, onBound: onBound)
        return AdminService(api: self) { try await listener.run() }
    }

    /// Serves through a `StandbyResponder`, whose listeners are already open, until graceful shutdown.
    package func makeService(behind door: StandbyResponder) -> some Service {
        let responder = AdminResponder(self)
        return AdminService(api: self) {
            door.open(responder.respond)
            try? await gracefulShutdown()
            door.close("it is stopping")
        }
    }

    fileprivate func stop() {
        feed.stop()
        gateway.finishWaits()
    }

    var table: EndpointTable {
        // Probes and downloads expect these paths at the root.
        let both = healthEndpoints + documentEndpoints + [metricsEndpoint]
        let nouns = [
            [
                informationEndpoint, handoverEndpoint, pushEndpoint, actionEndpoint, eventEndpoint, streamEndpoint,
                previewEndpoint,
                verifyEndpoint, hygieneEndpoint, demoEndpoint,
            ],
            sessionEndpoints, dayEndpoints, keyEndpoints, connectionEndpoints, deviceEndpoints, fleetEndpoints,
            registrationEndpoints,
            screenEndpoints, pictureEndpoints, appEndpoints, serviceEndpoints, activityEndpoints, channelEndpoints,
            localNotificationEndpoints, donationEndpoints, suggestionEndpoints, calendarEndpoints,
            notificationEndpoints, mediaEndpoints,
            lintEndpoints, requestEndpoints,
            snippetEndpoints, clockEndpoints, faultEndpoints, webhookEndpoints, stateEndpoints, recordingEndpoints,
        ]
        return EndpointTable(endpoints: both + mockEndpoints + (both + nouns.joined()).map(\.versioned))
    }
}

private struct AdminService: Service {
    let api: AdminAPI
    let serve: @Sendable () async throws -> Void

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await serve()
        } onGracefulShutdown: {
            api.stop()
        }
    }
}
