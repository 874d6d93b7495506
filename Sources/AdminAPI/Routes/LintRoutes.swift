internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird
internal import JSON
internal import Lint

/// Advice about pushes, without sending them.
struct LintRoutes: Sendable {
    let gateway: Gateway
    /// Names of rules that report nothing.
    let silenced: Set<String>

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/lint") { _ in
                Response(json: ["rules": .array(Lint.rules.map(rule))])
            },
            Endpoint(.post, "/lint", query: ["topic", "app", "pushType", "collapseId", "device"], lint),
        ]
    }

    private func rule(_ rule: LintRule) -> JSONValue {
        [
            "id": .string(rule.id),
            "severity": .string(rule.severity.rawValue),
            "sentence": .string(rule.sentence),
            "source": .string(rule.source),
            "fix": .nonEmpty(rule.fix),
            "needs": .strings(LintRule.Need.allCases.filter(rule.needs.contains).map(\.rawValue)),
            "isSilenced": .bool(silenced.contains(rule.id)),
        ]
    }

    private func lint(_ request: AdminRequest) async throws -> Response {
        let query = request.query
        let device = try query["device"].map { try gateway.device(named: $0) }
        let pushType = try query.pushType()
        let (payload, named) = try Self.payload(try await request.body())
        let bundleID = try Self.bundleID(query) ?? named
        let app = bundleID.flatMap { gateway.simulator.app($0) }
        var subject = LintSubject(payload: payload.span.bytes, app: app)
        subject.pushType = pushType
        subject.identifier = query["collapseId"] ?? ""
        subject.now = gateway.now()
        subject.duplicateWindow = gateway.simulator.assumptions.duplicateWindow
        if let device {
            subject.locale = gateway.simulator.conditions(of: device.name)?.locale ?? subject.locale
            subject.history = bundleID.map { bundleID in
                LintHistory(of: bundleID, on: device.name, before: .max, in: gateway.simulator)
            }
        }
        let findings = Lint.findings(for: subject, silencing: silenced)
        return Response(json: [
            "findings": .array(findings.map { JSONValue($0) }),
            "categoryFindings": app.map { app in
                .array(Lint.findings(forCategoriesOf: app, silencing: silenced).map { JSONValue($0) })
            },
        ])
    }

    /// The payload, and the app that an `.apns` file names. What cannot be read is a finding, and no failure.
    private static func payload(_ body: [UInt8]) throws(AdminError) -> (payload: [UInt8], bundleID: String?) {
        switch PayloadScan(body.span.bytes) {
        case .invalid, .notAnObject: return (body, nil)
        case .valid, .apsMissing, .apsNotAnObject:
            let file = try SimulatorPayload(body)
            return (file.payload, file.bundleID)
        }
    }

    /// The app that the query names.
    private static func bundleID(_ query: RequestQuery) throws -> String? {
        guard let topic = try query.value("topic", .topic) else { return query["app"] }
        guard query["app"] == nil else {
            throw AdminError.badRequest("'topic' and 'app' both name the app; use one.")
        }
        return TopicRules.bundleID(of: topic)
    }
}
