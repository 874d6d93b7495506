internal import APNs
internal import Gateway
internal import Hummingbird
internal import JSON
internal import Wire

/// Providers' connections, open and recently closed.
extension AdminAPI {
    var connectionEndpoints: [Endpoint] {
        [
            Endpoint(.get, "/connections") { _ in
                Response(json: ["connections": .array(gateway.connections.map { JSONValue($0) })])
            },
            Endpoint(.get, "/connections/{number}") { request in
                let number: UInt32 = try request.number("number")
                guard let connection = gateway.connection(number) else {
                    throw AdminError.notFound(
                        "There is no connection \(number); closed connections are retained for a limited time.")
                }
                return Response(json: JSONValue(connection))
            },
        ]
    }
}

extension JSONValue {
    fileprivate init(_ connection: ConnectionSnapshot) {
        let facts = connection.facts
        let settings = connection.settings.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.integer($0.value)) }
        let tokens = connection.tokens.map { token -> JSONValue in
            [
                "keyId": .string(token.keyID), "teamId": .string(token.teamID), "issuedAt": .time(token.issuedAt),
                "firstUsedAt": .time(token.firstUsedAt),
            ]
        }
        let faults = connection.faults.map { fault -> JSONValue in
            ["rule": .string(fault.rule), "stage": .string(fault.stage.rawValue), "at": .time(fault.at)]
        }
        let goAways = connection.goAways.map { goAway -> JSONValue in
            [
                "code": .string(goAway.codeName), "lastStream": .integer(goAway.lastStream),
                "debugData": .nonEmpty(goAway.debugData), "at": .time(goAway.at),
            ]
        }
        self = [
            "number": .integer(facts.number),
            "remoteAddress": .string(facts.remoteAddress),
            "localAddress": .string(facts.localAddress),
            "traffic": facts.traffic.map { .string($0.rawValue) },
            "httpVersion": facts.httpVersion.map { .string($0.rawValue) },
            "tls": facts.tls.map { JSONValue($0) },
            "connectTarget": facts.connectTarget.map { .string($0) },
            "openedAt": .time(facts.openedAt),
            "closedAt": connection.closedAt.map { .time($0) },
            "accepted": .integer(connection.accepted),
            "refused": .integer(connection.refused),
            "pings": .integer(connection.pings),
            "refusedStreams": .integer(connection.refusedStreams),
            "streamLimit": .integer(connection.streamLimit),
            "settings": .object(JSONObject(settings)),
            "tokens": .array(tokens),
            "refusal": connection.refusal.map {
                ["reason": .string($0.reason.rawValue), "diagnosis": .diagnosis($0.diagnosis)]
            },
            "faults": .array(faults),
            "goAways": .array(goAways),
            "ending": connection.ending.map { .string($0.rawValue) },
            "limit": connection.limit.map { .string($0) },
            "findings": .array(RequestFindings.findings(for: facts).map { JSONValue(FindingAnswer($0)) }),
        ]
    }

    private init(_ tls: ConnectionFacts.TLSFacts) {
        self = [
            "version": .string(tls.version),
            "cipher": .string(tls.cipher),
            "offeredAlpn": .strings(tls.offeredALPN),
            "selectedAlpn": tls.selectedALPN.map { .string($0) },
            "serverName": tls.serverName.map { .string($0) },
            "isResumed": .bool(tls.isResumed),
            "clientCertificate": tls.clientCertificate.map { .string($0) },
        ]
    }

    static func diagnosis(_ diagnosis: Diagnosis) -> JSONValue {
        ["id": .string(diagnosis.code), "message": .string(diagnosis.message)]
    }
}
