internal import APNs
package import Gateway
internal import HTTPTypes
package import JSON
internal import RequestWire
package import Time

/// Open and recently closed connections of providers.
extension AdminAPI {
    var connectionEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/connections", .connections, "Providers' connections, open and recently closed, oldest first",
                id: "connections", answer: "The connections.", query: ["since", "limit"]
            ) { request in
                let since = try request.since()
                // The log is bounded, so without a limit all fit into an answer.
                let limit = try request.query.integer("limit", in: AdminRequest.listCounts) ?? .max
                let later = gateway.connectionLog.snapshots.drop { $0.facts.number <= since }
                let page = later.prefix(limit)
                let next = page.count < later.count ? page.last.map { "\($0.facts.number)" } : nil
                return ConnectionsAnswer(connections: page.map { ConnectionAnswer($0) }, next: next)
            },
            Endpoint(
                .get, "/connections/{number}", .connections, "One connection", id: "connection",
                answer: "The connection.", errors: [404]
            ) { request in ConnectionAnswer(try connection(try request.number("number"))) },
        ]
    }

    func connection(_ number: UInt32) throws(AdminError) -> ConnectionSnapshot {
        try gateway.connectionLog.snapshot(of: number).found(
            or: "There is no connection \(number); closed connections are retained for a limited time.")
    }
}

extension ConnectionFacts: APIShape {
    package static let shape = Shape([
        "number": .positive(),
        "traffic": .words("provider, clearText, proxy, channelsSandbox, channelsProduction").always,
        "httpVersion": .words("HTTP/2, HTTP/1.1", "Absent if the client was rejected as it connected."),
        "connectTarget": "The target of a proxy client.",
    ])
}

package struct ConnectionsAnswer: APIShape {
    package var connections: [ConnectionAnswer]
    package var next: String?

    package static let shape = Shape([
        "next": .with(#"pattern: "^[0-9]+$""#, "Pass as `since`; absent when the list is complete.")
    ])
}

package typealias ConnectionAnswer = Joined<ConnectionFacts, ConnectionUse>

/// What happened on a connection.
package struct ConnectionUse: APIShape {
    package var closedAt: Instant?
    package var accepted: UInt64
    package var refused: UInt64
    package var pings: UInt64
    package var refusedStreams: UInt64
    package var streamsAfterGoAway: UInt64
    package var streamLimit: UInt32
    package var settings: JSONObject
    package var tokens: [ConnectionSnapshot.TokenUse]
    package var refusal: Refusal?
    package var faults: [ConnectionSnapshot.FaultUse]
    package var goAways: [GoAway]
    package var ending: String?
    package var limit: String?
    package var findings: [FindingAnswer]

    package static let shape = Shape(
        name: "Connection",
        [
            "refusedStreams":
                "Streams above the announced limit, refused with REFUSED_STREAM. They are not in the request log.",
            "streamsAfterGoAway": """
            Streams refused over a second after a GOAWAY that left the connection open. They are not in the request \
            log.
            """,
            "streamLimit": "The number of concurrent streams, as last announced.",
            "settings": .with("additionalProperties: {type: integer, minimum: 0}", "The client's SETTINGS."),
            "tokens": "The provider tokens that it used, newest last, without signatures.",
            "refusal": "Why the new connection was rejected with GOAWAY.",
            "faults": "Fault rules that fired for the connection itself.",
            "goAways": "The GOAWAY frames sent to the client.",
            "ending": .words(
                "client, gateway, close, reset, alert",
                "What ended it; `close`, `reset` and `alert` are effects of fault rules. Absent while it is open."),
            "limit": "The limit that ended it, such as `IdleTimeout`; named as in `pushcote_limits_reached_total`.",
        ])

    package struct Refusal: APIShape {
        package var reason: String
        package var diagnosis: RequestAnswer.Diagnosis
    }

    package struct GoAway: APIShape {
        package var code: String
        package var lastStream: Int
        package var debugData: String?
        package var at: Instant

        package static let shape = Shape(["code": "Such as `NO_ERROR`."])
    }
}

extension ConnectionAnswer {
    fileprivate init(_ connection: ConnectionSnapshot) {
        let settings = connection.settings.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.integer($0.value)) }
        let use = ConnectionUse(
            closedAt: connection.closedAt, accepted: connection.accepted, refused: connection.refused,
            pings: connection.pings, refusedStreams: connection.refusedStreams,
            streamsAfterGoAway: connection.streamsAfterGoAway, streamLimit: connection.streamLimit,
            settings: JSONObject(settings), tokens: connection.tokens,
            refusal: connection.refusal.map {
                .init(reason: $0.reason.rawValue, diagnosis: RequestAnswer.Diagnosis($0.diagnosis))
            },
            faults: connection.faults,
            goAways: connection.goAways.map {
                .init(code: $0.codeName, lastStream: Int($0.lastStream), debugData: $0.debugData.ifAny, at: $0.at)
            },
            ending: connection.ending?.rawValue, limit: connection.limit,
            findings: RequestFindings.findings(for: connection.facts).map { FindingAnswer($0) })
        self.init(connection.facts, use)
    }
}
