internal import APNs
package import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import HTTPTypes
internal import JSON
package import Lint

/// Lint findings without sending a push.
extension AdminAPI {
    var lintEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/lint", .lint, "The lint rules", id: "lintRules", answer: "The rules in order."
            ) { _ in LintRulesAnswer(silenced: configuration.silencedFindings) },
            Endpoint(
                .post, "/lint", .lint, "Check a payload without sending it", id: "lint",
                about: """
                    The body is a payload, or an `.apns` file that names the app. With an app, checks texts and
                    categories, too; with `device`, compares with that device's earlier pushes. An unreadable payload
                    is a finding, not an error.
                    """,
                body: .any("Any bytes.", as: ["application/json"]), answer: "The findings.", errors: [404],
                query: ["topic", "app", "pushType", "collapseId", "device"], lint),
        ]
    }

    private func lint(_ request: AdminRequest) async throws -> FindingsAnswer {
        let query = request.query
        let device = try query["device"].map { try gateway.device(named: $0) }
        let pushType = try query.pushType()
        let (payload, named) = try Self.payload(try await request.body())
        let bundleID = try Self.bundleID(query) ?? named
        let app = bundleID.flatMap { gateway.simulator.app($0) }
        var subject = LintSubject(payload: payload.span.bytes, app: app)
        subject.undeclaredApp = app == nil ? bundleID : nil
        subject.pushType = pushType
        subject.topic = query["topic"]
        subject.identifier = query["collapseId"] ?? ""
        subject.now = gateway.now()
        subject.duplicateWindow = gateway.simulator.assumptions.duplicateWindow
        if let device {
            subject.locale = gateway.simulator.conditions(of: device.name)?.locale ?? subject.locale
            subject.history = bundleID.map { bundleID in
                LintHistory(of: bundleID, on: device.name, before: .max, in: gateway.simulator)
            }
        }
        let silenced = configuration.silencedFindings
        let findings =
            LintHeaders.findings(subject, silencing: silenced)
            + Lint.findings(for: subject, silencing: silenced)
        return FindingsAnswer(
            findings: findings.map { FindingAnswer($0) },
            categoryFindings: app.map { app in
                Lint.findings(forCategoriesOf: app, silencing: silenced).map { FindingAnswer($0) }
            })
    }

    /// The payload, and the app in an `.apns` file. An unreadable payload is a finding, not an error.
    private static func payload(_ body: [UInt8]) throws(AdminError) -> (payload: [UInt8], bundleID: String?) {
        switch PayloadScan(body.span.bytes) {
        case .invalid, .notAnObject: return (body, nil)
        case .valid, .apsMissing, .apsNotAnObject:
            let file = try SimulatorPayload(body)
            return (file.payload, file.bundleID)
        }
    }

    private static func bundleID(_ query: RequestQuery) throws -> String? {
        guard let topic = try query.value("topic", .topic) else { return query["app"] }
        guard query["app"] == nil else {
            throw AdminError.badRequest("'topic' and 'app' both name the app; use one.")
        }
        return TopicRules.bundleID(of: topic)
    }
}

/// What the gateway would answer and find for the headers of a push that is not sent.
package enum LintHeaders {
    package static func findings(_ subject: LintSubject, silencing silenced: Set<String>) -> [Finding] {
        RequestFindings.findings(
            for: subject.pushType, topic: subject.topic, subject.content, payload: subject.payload.span.bytes
        ).filter { !silenced.contains($0.id) }
    }
}

package struct LintRulesAnswer: APIShape {
    var rules: [Rule]

    struct Rule: AnswerTable {
        let source: (rule: LintRule, isSilenced: Bool)

        static let rows: [Row<(rule: LintRule, isSilenced: Bool)>] = [
            Row("id", \.rule.id, "A stable name for `lint.silenced`."),
            Row("severity", \.rule.severity),
            Row("sentence", \.rule.sentence),
            Row("source", \.rule.source),
            Row("fix", \.rule.fix.ifAny, "A correct example."),
            Row(
                "needs", { LintRule.Need.allCases.filter($0.rule.needs.contains) },
                "Inputs that the rule needs beside the payload."),
            Row("isSilenced", \.isSilenced),
        ]
    }

    package init(silenced: Set<String>) { rules = Lint.rules.map { Rule(($0, silenced.contains($0.id))) } }
}

struct FindingsAnswer: APIShape {
    var findings: [FindingAnswer]
    var categoryFindings: [FindingAnswer]?

    static let shape = Shape([
        "categoryFindings": "About the app's categories and buttons; absent for an undescribed app."
    ])
}

package struct FindingAnswer: APIShape {
    package var id: String
    package var severity: Finding.Severity
    package var message: String
    package var path: String?
    package var source: String?
    package var fix: String?

    package static let shape = Shape(
        about: "A remark about a push that changes no outcome.",
        [
            "id": .filled("The rule's stable name, such as `badge.type`."),
            "path": "Where in the payload, such as `aps.alert.title`.",
            "source": "Where the rule comes from.",
            "fix": "A correct example.",
        ])

    package init(_ finding: Finding) {
        (id, severity, message) = (finding.id, finding.severity, finding.message)
        (path, source, fix) = (finding.path.ifAny, finding.source?.ifAny, finding.fix?.ifAny)
    }
}
