internal import AdminAPI

struct Outcome: Decodable {
    let notification: NotificationAnswer
    private let details: Details

    private struct Details: Decodable {
        var why: String
        var findings: [FindingAnswer]
    }

    init(from decoder: any Decoder) throws {
        notification = try NotificationAnswer(from: decoder)
        details = try Details(from: decoder)
    }

    /// What the person noticed and why, in one sentence.
    var why: String { details.why }

    var findingLines: [String] {
        details.findings.map { finding in
            let place = finding.path.map { " (\($0))" } ?? ""
            return "\(finding.severity) \(finding.id)\(place): \(finding.message)".onOneLine
        }
    }
}

extension AdminClient {
    func outcome(of notification: UInt64) async throws(AdminClientError) -> Outcome {
        try await ask(APICall(.get, ["notifications", String(notification)])).1
    }
}
