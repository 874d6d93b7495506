package import APNs
internal import CDocuments
internal import DeviceSimulator
package import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
package import Time

extension AdminAPI {
    var healthEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/", .health, "Where to begin; a browser gets the page", answers: [.shared("Index")], isOpen: true
            ) { _ in Response(IndexAnswer()) },
            Endpoint(
                .get, "/livez", .health, "Whether the process is alive",
                answers: [.ok("The process is alive.", "Live")], isOpen: true
            ) { _ in Response(json: ["status": .string("ok")]) },
            Endpoint(
                .get, "/readyz", .health, "Whether every listener is open and the journal can be written",
                answers: [
                    .ok("Every listener is open.", "Ready"),
                    .init(
                        503,
                        "A listener is not open yet, the journal cannot be written, or another gateway owns the house.",
                        "NotReady"),
                ],
                query: ["of"], isOpen: true
            ) { request in
                let concernsOwner = try request.query.choice("of", of: ["owner"]) { $0 } != nil
                guard isReady() else {
                    return Response(json: ["status": .string("starting")], status: .serviceUnavailable)
                }
                // A load balancer must send pushes to an owner that cannot write, so that it answers them 503.
                if !concernsOwner, let problem = gateway.keeper?.problem?.description ?? gateway.keeper?.suspension {
                    return Response(
                        json: ["status": .string("journal"), "reason": .string(problem)], status: .serviceUnavailable)
                }
                return Response(json: ["status": .string("ready")])
            },
        ]
    }

    /// Ends this gateway as its house's owner; a standby takes over.
    var handoverEndpoint: Endpoint {
        Endpoint(
            .post, "/handover", .health,
            "End this gateway as the owner of its house in Postgres, so that a standby takes over", id: "handOver",
            answers: [.ok("The gateway is leaving.", "Leaving")], errors: [409]
        ) { _ in
            guard let handOver else {
                throw AdminError.conflict("Only a gateway with journal: postgres has standbys that could take over.")
            }
            handOver()
            return Response(json: ["status": .string("leaving")])
        }
    }

    var metricsEndpoint: Endpoint {
        Endpoint(
            .get, "/metrics", .health, "Metrics for Prometheus",
            answers: [.ok("Prometheus text format 0.0.4.", as: ["text/plain"])]
        ) { _ in Metrics(gateway: gateway, information: information(), streamCount: feed.readerCount).response }
    }

    var documentEndpoints: [Endpoint] {
        AdminDocument.allCases.map { document in
            let type = document == .trustStore ? "application/x-pkcs12" : "application/x-pem-file"
            return Endpoint(
                .get, document.rawValue, .documents, document.summary,
                answers: [document == .trustStore ? .ok("PKCS#12.", as: [type]) : .certificates], isOpen: true
            ) { _ in Response(bytes: documents(document), type: type) }
        } + [
            Endpoint(
                .get, "/openapi.yaml", .documents, "This document",
                answers: [.ok("OpenAPI 3.1.", as: ["application/yaml"])]
            ) { _ in Response(bytes: Array(OpenAPIDocument.text.utf8), type: "application/yaml") }
        ]
    }

    var informationEndpoint: Endpoint {
        Endpoint(
            .get, "/info", .health, "The version, configuration, addresses and counts of the gateway", id: "info",
            answer: "The gateway."
        ) { _ in InformationAnswer(information(), of: gateway) }
    }
}

/// What a stranger's first request needs.
package struct IndexAnswer: APIShape {
    package var message = "Pushcote, a mock push gateway. In a browser, this address is its page."
    package var description = "/openapi.yaml"
    package var information = "/api/v1/info"
    package var devices = "/api/v1/devices"
    package var notifications = "/api/v1/notifications"
    package var authority = "/ca.pem"
}

package struct InformationAnswer: APIShape {
    package var version: String
    package var seed: UInt64
    package var profile: String
    package var startedAt: Instant
    package var environment: APNsEnvironment
    package var authMode: GatewaySettings.AuthenticationMode
    package var addresses: ServerInformation.Addresses
    package var certificate: Certificate?
    package var demonstrationKey: DemonstrationKey?
    package var counts: Counts

    package static let shape = Shape(
        name: "Info",
        [
            "seed": "The seed of identifiers.",
            "profile": .words("faithful, strict, lenient"),
        ])

    package struct Certificate: APIShape {
        package var caFingerprint: String
        package var caFile: String
        package var notAfter: Instant
    }

    package struct DemonstrationKey: APIShape {
        package var keyId: String
        package var teamId: String
        package var file: String
    }

    package struct Counts: APIShape {
        package var devices: Int
        package var apps: Int
        package var notifications: Int
        package var requests: UInt64
        package var connections: Int
        package var keys: Int

        package static let shape = Shape([
            "requests": "Since the start.",
            "connections": "Open connections.",
        ])
    }

    init(_ information: ServerInformation, of gateway: Gateway) {
        let counters = gateway.simulator.counters
        (version, seed, profile) = (information.version, gateway.seed, information.profile)
        (startedAt, addresses) = (information.startedAt, information.addresses)
        (environment, authMode) = (gateway.settings.defaultEnvironment, gateway.settings.authenticationMode)
        certificate = information.certificate.map {
            Certificate(caFingerprint: $0.caFingerprint, caFile: $0.caFile, notAfter: $0.notAfter)
        }
        demonstrationKey = information.demonstrationKey.map {
            DemonstrationKey(keyId: $0.keyID, teamId: $0.teamID, file: $0.file)
        }
        counts = Counts(
            devices: counters.devices, apps: counters.apps, notifications: counters.notifications,
            requests: gateway.requestLog.counts.total, connections: gateway.connectionLog.openCount,
            keys: gateway.keys.keys.count)
    }
}

/// The description of the API: `openapi.yaml`, embedded in the program; tests compare it with the code.
package enum OpenAPIDocument {
    package static let text = String(cString: documents_openapi())
}
