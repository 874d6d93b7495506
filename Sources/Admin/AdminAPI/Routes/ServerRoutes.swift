internal import APNs
internal import CDocuments
internal import DeviceSimulator
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import Time

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
        ) { _ in InformationAnswer((information(), gateway)) }
    }
}

/// What a stranger's first request needs.
struct IndexAnswer: APIShape {
    var message = "Pushcote, a mock push gateway. In a browser, this address is its page."
    var description = "/openapi.yaml"
    var information = "/api/v1/info"
    var devices = "/api/v1/devices"
    var notifications = "/api/v1/notifications"
    var authority = "/ca.pem"
}

struct InformationAnswer: AnswerTable {
    let source: (information: ServerInformation, gateway: Gateway)

    static let rows: [Row<(information: ServerInformation, gateway: Gateway)>] = [
        Row("version", \.information.version),
        Row("seed", \.gateway.seed, "The seed of identifiers."),
        Row("profile", \.information.profile, .words("faithful, strict, lenient")),
        Row("startedAt", \.information.startedAt),
        Row("environment", \.gateway.settings.defaultEnvironment),
        Row("authMode", \.gateway.settings.authenticationMode),
        Row("addresses", \.information.addresses),
        Row("certificate") { $0.information.certificate.map { Certificate($0) } },
        Row("demonstrationKey") { $0.information.demonstrationKey.map { DemonstrationKey($0) } },
        Row("counts") { Counts($0.gateway) },
    ]

    static let shape = Shape(name: "Info", of: rows)

    struct Certificate: AnswerTable {
        let source: ServerInformation.Certificate

        static let rows: [Row<ServerInformation.Certificate>] = [
            Row("caFingerprint", \.caFingerprint), Row("caFile", \.caFile), Row("notAfter", \.notAfter),
        ]
    }

    struct DemonstrationKey: AnswerTable {
        let source: ServerInformation.Key

        static let rows: [Row<ServerInformation.Key>] = [
            Row("keyId", \.keyID), Row("teamId", \.teamID), Row("file", \.file),
        ]
    }

    struct Counts: AnswerTable {
        let source: (counters: SimulatorCounters, gateway: Gateway)

        static let rows: [Row<(counters: SimulatorCounters, gateway: Gateway)>] = [
            Row("devices", \.counters.devices),
            Row("apps", \.counters.apps),
            Row("notifications", \.counters.notifications),
            Row("requests", \.gateway.requestLog.counts.total, "Since the start."),
            Row("connections", \.gateway.connectionLog.openCount, "Open connections."),
            Row("keys", \.gateway.keys.keys.count),
        ]
    }
}

extension InformationAnswer.Counts {
    init(_ gateway: Gateway) { self.init(source: (gateway.simulator.counters, gateway)) }
}

/// The description of the API: `openapi.yaml`, embedded in the program; tests compare it with the code.
package enum OpenAPIDocument {
    package static let text = String(cString: documents_openapi())
}
