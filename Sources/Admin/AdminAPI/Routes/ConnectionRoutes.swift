internal import APNs
package import Gateway
internal import Hummingbird
internal import JSON
internal import RequestWire
internal import Time

/// Open and recently closed connections of providers.
extension AdminAPI {
    var connectionEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/connections", .connections, "Providers' connections, open and recently closed, oldest first",
                id: "connections", answers: [.ok("The connections.", "Connections")], query: ["since", "limit"]
            ) { request in
                let since = try request.since()
                // The log is bounded, so without a limit all fit into an answer.
                let limit = try request.query.integer("limit", in: AdminRequest.listCounts) ?? .max
                let later = gateway.connectionLog.snapshots.drop { $0.facts.number <= since }
                let page = later.prefix(limit)
                let next = page.count < later.count ? page.last.map { "\($0.facts.number)" } : nil
                return Response(json: [
                    "connections": .array(page.map { JSONValue($0) }), "next": next.map { .string($0) },
                ])
            },
            Endpoint(
                .get, "/connections/{number}", .connections, "One connection", id: "connection",
                answers: [.ok("The connection.", "Connection")], errors: [404]
            ) { request in
                Response(json: JSONValue(try connection(try request.number("number"))))
            },
        ]
    }

    func connection(_ number: UInt32) throws(AdminError) -> ConnectionSnapshot {
        try gateway.connectionLog.snapshot(of: number).found(
            or: "There is no connection \(number); closed connections are retained for a limited time.")
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
                ["reason": .string($0.reason.rawValue), "diagnosis": JSONValue(RequestAnswer.Diagnosis($0.diagnosis))]
            },
            "faults": .array(connection.faults.map { JSONValue($0) }),
            "goAways": .array(goAways),
            "ending": connection.ending.map { .string($0.rawValue) },
            "limit": connection.limit.map { .string($0) },
            "findings": .array(RequestFindings.findings(for: connection.facts).map { JSONValue(FindingAnswer($0)) }),
        ])
    }
}
