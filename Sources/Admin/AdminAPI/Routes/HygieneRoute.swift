internal import APNs
internal import DeviceModel
internal import DeviceSimulator
package import Gateway
internal import HTTPTypes
internal import Lint

/// The hygiene report, computed on request.
extension AdminAPI {
    var hygieneEndpoint: Endpoint {
        Endpoint(
            .get, "/hygiene", .connections, "How providers behave", id: "hygiene",
            about: """
                Findings about connections, provider tokens, retries and headers, with who does it, how often, what it
                costs, and what Apple says. Computed from the logs when it is asked for: the newest 10,000 requests,
                and the connections that are still listed. `docs/hygiene.md` has the rules.
                """,
            answer: "The findings.", errors: [404], query: ["since", "connection"]
        ) { request in
            let connection: UInt32? = try request.query.integer("connection", in: 0...UInt32.max)
            let (simulator, silenced) = (gateway.simulator, configuration.silencedFindings)
            let report = gateway.hygiene(since: try request.since(), connection: connection) { push, registration in
                let app = simulator.app(TopicRules.bundleID(of: registration.topic))
                return Lint.findings(for: LintSubject(push, app: app), silencing: silenced)
            }
            // The request log may outlast the connection's record.
            if let connection, report.findings.isEmpty { _ = try self.connection(connection) }
            return HygieneAnswer(report, silencing: silenced)
        }
    }
}

struct HygieneAnswer: APIShape {
    var findings: [Finding]
    var requests: HygieneCoverage
    var connections: HygieneCoverage

    typealias Finding = Joined<FindingAnswer, HygieneFindingAnswer>

    init(_ report: HygieneReport, silencing silenced: Set<String>) {
        findings = report.findings.filter { !silenced.contains($0.finding.id) }.map { finding in
            Joined(FindingAnswer(finding.finding), HygieneFindingAnswer(finding))
        }
        (requests, connections) = (report.requests, report.connections)
    }
}

extension HygieneCoverage: APIShape {
    package static let shape = Shape(
        about: "How much of a log was examined.", ["missing": "Evicted, cleared, or too many to examine."])
}

/// Besides the members of every finding.
struct HygieneFindingAnswer: AnswerTable {
    let source: HygieneFinding

    static let rows: [Row<HygieneFinding>] = [
        Row("cost", \.cost, "Why it costs; absent for findings of lint."),
        Row(
            "who", \.who,
            "The client, as far as it is known. The last three are present if all occurrences have them in common."),
        Row("count", \.count, .positive()),
        Row(
            "exampleRequests", \.requests,
            .type(
                "type: array, maxItems: 5, items: {type: integer, minimum: 1}",
                "Numbers of the first requests; empty for findings about connections.")),
        Row(
            "exampleConnections", \.connections,
            .type("type: array, maxItems: 5, items: {type: integer, minimum: 1}")),
    ]

    static let shape = Shape(
        name: "HygieneFinding", about: "A habit of one client, or what lint says about its pushes.", of: rows,
        besides: [
            "id": "The rule's stable name, such as `hygiene.token.tooOld`, or a name of `GET /lint`.",
            "path": "In the first payload; only for findings of lint.",
            "source": "What Apple says and where, or that it is not established.",
            "fix": "What to do instead.",
        ])
}

extension HygieneFinding.Who: APIShape {
    package static let shape = Shape(name: "HygieneFindingSender", ["remoteAddress": "Without the port."])
}
