internal import APNs
package import Gateway
internal import HTTPTypes
internal import JSON
internal import RequestWire
internal import Time

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

struct ConnectionsAnswer: APIShape {
    var connections: [ConnectionAnswer]
    var next: String?

    static let shape = Shape([
        "next": .with(#"pattern: "^[0-9]+$""#, "Pass as `since`; absent when the list is complete.")
    ])
}

typealias ConnectionAnswer = Joined<ConnectionFacts, ConnectionUse>

/// What happened on a connection.
struct ConnectionUse: AnswerTable {
    let source: ConnectionSnapshot

    static let rows: [Row<ConnectionSnapshot>] = [
        Row("closedAt", \.closedAt),
        Row("accepted", \.accepted),
        Row("refused", \.refused),
        Row("pings", \.pings),
        Row(
            "refusedStreams", \.refusedStreams,
            "Streams above the announced limit, refused with REFUSED_STREAM. They are not in the request log."),
        Row(
            "streamsAfterGoAway", \.streamsAfterGoAway,
            """
            Streams refused over a second after a GOAWAY that left the connection open. They are not in the request \
            log.
            """),
        Row("streamLimit", \.streamLimit, "The number of concurrent streams, as last announced."),
        Row(
            "settings", { JSONObject($0.settings.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) }) },
            .with("additionalProperties: {type: integer, minimum: 0}", "The client's SETTINGS.")),
        Row("tokens", \.tokens, "The provider tokens that it used, newest last, without signatures."),
        Row("refusal", { $0.refusal.map { Refusal($0) } }, "Why the new connection was rejected with GOAWAY."),
        Row("faults", \.faults, "Fault rules that fired for the connection itself."),
        Row("goAways", { $0.goAways.map { GoAway($0) } }, "The GOAWAY frames sent to the client."),
        Row(
            "ending", \.ending?.rawValue,
            .words(
                "client, gateway, close, reset, alert",
                "What ended it; `close`, `reset` and `alert` are effects of fault rules. Absent while it is open.")),
        Row(
            "limit", \.limit,
            "The limit that ended it, such as `IdleTimeout`; named as in `pushcote_limits_reached_total`."),
        Row("findings") { RequestFindings.findings(for: $0.facts).map { FindingAnswer($0) } },
    ]

    static let shape = Shape(name: "Connection", of: rows)

    struct Refusal: AnswerTable {
        let source: APNsRejection

        static let rows: [Row<APNsRejection>] = [
            Row("reason", \.reason.rawValue),
            Row("diagnosis") { RequestAnswer.Diagnosis($0.diagnosis) },
        ]
    }

    struct GoAway: AnswerTable {
        let source: ConnectionSnapshot.GoAway

        static let rows: [Row<ConnectionSnapshot.GoAway>] = [
            Row("code", \.codeName, "Such as `NO_ERROR`."),
            Row("lastStream") { Int($0.lastStream) },
            Row("debugData", \.debugData.ifAny),
            Row("at", \.at),
        ]
    }
}

extension ConnectionAnswer {
    fileprivate init(_ connection: ConnectionSnapshot) { self.init(connection.facts, ConnectionUse(connection)) }
}
