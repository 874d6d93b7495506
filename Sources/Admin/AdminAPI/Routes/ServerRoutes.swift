internal import APNs
internal import CDocuments
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird
internal import JSON
internal import Time

extension AdminAPI {
    var healthEndpoints: [Endpoint] {
        [
            Endpoint(.get, "/", isOpen: true) { _ in Response(IndexAnswer()) },
            Endpoint(.get, "/livez", isOpen: true) { _ in Response(json: ["status": .string("ok")]) },
            Endpoint(.get, "/readyz", query: ["of"], isOpen: true) { request in
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
        Endpoint(.post, "/handover") { _ in
            guard let handOver else {
                throw AdminError.conflict("Only a gateway with journal: postgres has standbys that could take over.")
            }
            handOver()
            return Response(json: ["status": .string("leaving")])
        }
    }

    var metricsEndpoint: Endpoint {
        Endpoint(.get, "/metrics") { _ in
            Metrics(gateway: gateway, information: information(), streamCount: feed.readerCount).response
        }
    }

    var documentEndpoints: [Endpoint] {
        AdminDocument.allCases.map { document in
            Endpoint(.get, document.rawValue, isOpen: true) { _ in
                let type = document == .trustStore ? "application/x-pkcs12" : "application/x-pem-file"
                return Response(bytes: documents(document), type: type)
            }
        } + [
            Endpoint(.get, "/openapi.yaml") { _ in
                Response(bytes: Array(OpenAPIDocument.text.utf8), type: "application/yaml")
            }
        ]
    }

    var informationEndpoint: Endpoint {
        Endpoint(.get, "/info") { _ in
            Response(InformationAnswer(information(), of: gateway))
        }
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
    package var startedAt: String
    package var environment: String
    package var authMode: String
    package var addresses: ServerInformation.Addresses
    package var certificate: Certificate?
    package var demonstrationKey: DemonstrationKey?
    package var counts: Counts

    package struct Certificate: APIShape {
        package var caFingerprint: String
        package var caFile: String
        package var notAfter: String
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
    }

    init(_ information: ServerInformation, of gateway: Gateway) {
        let counters = gateway.simulator.counters
        version = information.version
        seed = gateway.seed
        profile = information.profile
        startedAt = information.startedAt.text
        environment = gateway.settings.defaultEnvironment.rawValue
        authMode = gateway.settings.authenticationMode.rawValue
        addresses = information.addresses
        certificate = information.certificate.map {
            Certificate(caFingerprint: $0.caFingerprint, caFile: $0.caFile, notAfter: $0.notAfter.text)
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

/// The description of the API; tests compare it with the code.
package enum OpenAPIDocument {
    /// `openapi.yaml`, embedded in the program.
    package static let source = String(cString: documents_openapi())

    /// As it is served: every `x-errors` of the file becomes a response for each error of the operation.
    package static let text: String = {
        var (isGet, isOpen) = (false, false)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            switch line {
            case "    get:", "    put:", "    post:", "    patch:", "    delete:":
                (isGet, isOpen) = (line == "    get:", false)
            case "      security: [{}]": isOpen = true
            default: break
            }
            guard line.hasPrefix(mark) else { return [String(line)] }
            let own = line.dropFirst(mark.count).split { !$0.isNumber }.map(String.init)
            return Set(own + sharedErrors(isGet: isGet, isOpen: isOpen)).sorted().map { status in
                "        \"\(status)\": {$ref: \"#/components/responses/Error\(status)\"}"
            }
        }
        return lines.joined(separator: "\n")
    }()

    private static let mark = "        x-errors: ["

    /// The errors of `AdminMiddleware` and of reading a query, which every operation has.
    private static func sharedErrors(isGet: Bool, isOpen: Bool) -> [String] {
        ["400", "403", "500"] + (isOpen ? [] : ["401", "429", "503"]) + (isGet ? [] : ["415"])
    }
}
