internal import APNs
package import Gateway
internal import Hummingbird
internal import JSON
internal import Wire

/// Open and recently closed connections of providers.
extension AdminAPI {
    var connectionEndpoints: [Endpoint] {
        [
            Endpoint(.get, "/connections") { _ in
                Response(json: ["connections": .array(gateway.connectionLog.snapshots.map { JSONValue($0) })])
            },
            Endpoint(.get, "/connections/{number}") { request in
                let number: UInt32 = try request.number("number")
                return Response(json: JSONValue(try connection(number)))
            },
        ]
    }

    func connection(_ number: UInt32) throws(AdminError) -> ConnectionSnapshot {
        if let connection = gateway.connectionLog.snapshot(of: number) { return connection }
        throw .notFound("There is no connection \(number); closed connections are retained for a limited time.")
    }
}

extension ConnectionFacts: APIShape {}
extension ConnectionSnapshot.TokenUse: APIShape {}
extension ConnectionSnapshot.FaultUse: APIShape {}

extension JSONValue {
    fileprivate init(_ connection: ConnectionSnapshot) {
        let settings = connection.settings.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.integer($0.value)) }
        let goAways = connection.goAways.map { goAway -> JSONValue in
            [
                "code": .string(goAway.codeName), "lastStream": .integer(goAway.lastStream),
                "debugData": .nonEmpty(goAway.debugData), "at": .time(goAway.at),
            ]
        }
        self = JSONValue(connection.facts).adding([
            "closedAt": connection.closedAt.map { .time($0) },
            "accepted": .integer(connection.accepted),
            "refused": .integer(connection.refused),
            "pings": .integer(connection.pings),
            "refusedStreams": .integer(connection.refusedStreams),
            "streamsAfterGoAway": .integer(connection.streamsAfterGoAway),
            "streamLimit": .integer(connection.streamLimit),
            "settings": .object(JSONObject(settings)),
            "tokens": .array(connection.tokens.map { JSONValue($0) }),
            "refusal": connection.refusal.map {
                ["reason": .string($0.reason.rawValue), "diagnosis": .diagnosis($0.diagnosis)]
            },
            "faults": .array(connection.faults.map { JSONValue($0) }),
            "goAways": .array(goAways),
            "ending": connection.ending.map { .string($0.rawValue) },
            "limit": connection.limit.map { .string($0) },
            "findings": .array(RequestFindings.findings(for: connection.facts).map { JSONValue(FindingAnswer($0)) }),
        ])
    }

    static func diagnosis(_ diagnosis: Diagnosis) -> JSONValue {
        ["id": .string(diagnosis.code), "message": .string(diagnosis.message)]
    }
}
