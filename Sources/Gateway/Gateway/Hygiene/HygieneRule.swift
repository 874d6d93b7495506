internal import APNs
package import DeviceModel
internal import RequestWire

/// A practice of providers that costs performance or reliability; changes no answer.
package struct HygieneRule: Sendable {
    let rule: FindingRule
    package let cost: String
    let hits: @Sendable (HygieneFacts) -> [Hit]

    /// One occurrence.
    struct Hit: Sendable {
        var connection: UInt32?
        var request: UInt64?
        var keyID: String?
        var topic: String?
        var token: String?
        var detail = ""
        /// nil for a rule of hygiene.
        var lint: Finding?

        init(_ connection: ConnectionSnapshot, keyID: String? = nil, _ detail: String = "") {
            self.connection = connection.facts.number
            self.keyID = keyID
            self.detail = detail
        }

        init(_ request: HygieneRequest, _ detail: String = "") {
            connection = request.connection
            self.request = request.number
            topic = request.topic
            token = request.token
            self.detail = detail
        }

        init(_ request: HygieneRequest, _ lint: Finding) {
            self.init(request)
            self.lint = lint
        }
    }

    /// - Parameter apple: what Apple says and where, or that nothing is established.
    init(
        _ id: String, _ severity: Finding.Severity, _ sentence: String, cost: String, apple: String, fix: String,
        _ hits: @escaping @Sendable (HygieneFacts) -> [Hit]
    ) {
        rule = FindingRule("hygiene." + id, severity, apple, sentence, fix: fix)
        self.cost = cost
        self.hits = hits
    }

    /// In the order of their findings.
    package static let all = connections + tokens + answers + pushes

    /// Findings of lint come last, by name.
    package static func findings(in facts: HygieneFacts) -> [HygieneFinding] {
        func byClient(_ hits: [Hit], cost: String?, finding: ([Hit]) -> Finding) -> [HygieneFinding] {
            Dictionary(grouping: hits) { facts.client(of: $0.connection ?? 0) }
                .map { HygieneFinding(finding($0.value), cost: cost, $0.value, by: $0.key) }
                .sorted { ($1.count, $0.who.order) < ($0.count, $1.who.order) }
        }
        let own = all.flatMap { rule in
            byClient(rule.hits(facts), cost: rule.cost) { hits in
                var seen: Set<String> = [""]
                return rule.rule.finding(
                    at: "", hits.map(\.detail).filter { seen.insert($0).inserted }.prefix(5).joined(separator: ", "))
            }
        }
        let linted = facts.requests.flatMap { request -> [Hit] in
            guard let push = request.push, let registration = request.record.registration else { return [] }
            let content = DecodedPayload(push.payload.span.bytes).content
            let found = RequestFindings.findings(for: push, content) + facts.lint(push, registration)
            return found.map { Hit(request, $0) }
        }
        let byRule = Dictionary(grouping: linted) { "\($0.lint?.id ?? "") \($0.lint?.severity.rawValue ?? "")" }
        return own
            + byRule.sorted { $0.key < $1.key }.flatMap { byClient($0.value, cost: nil) { $0.compactMap(\.lint)[0] } }
    }
}

/// A rule's occurrences by one client.
package struct HygieneFinding: Sendable {
    package var finding: Finding
    /// nil for a finding of lint.
    package var cost: String?
    package var who: Who
    package var count: Int
    /// Numbers of the first ones.
    package var requests: [UInt64]
    package var connections: [UInt32]

    /// Where known; the last three only if all occurrences share them.
    package struct Who: Sendable, Hashable, Codable {
        /// Without the port.
        package var remoteAddress: String?
        package var userAgent: String?
        package var keyID: String?
        package var topic: String?
        package var token: String?

        private enum CodingKeys: String, CodingKey { case remoteAddress, userAgent, keyID = "keyId", topic, token }

        var order: String { "\(remoteAddress ?? "") \(userAgent ?? "")" }
    }

    private static let exampleCount = 5

    init(_ finding: Finding, cost: String?, _ hits: [HygieneRule.Hit], by sender: Who) {
        func common(_ value: (HygieneRule.Hit) -> String?) -> String? {
            let values = Set(hits.map(value))
            return values.count == 1 ? values.first ?? nil : nil
        }
        (self.finding, self.cost, who) = (finding, cost, sender)
        (who.keyID, who.topic, who.token) = (common(\.keyID), common(\.topic), common(\.token))
        count = hits.count
        requests = Array(Set(hits.compactMap(\.request)).sorted().prefix(Self.exampleCount))
        connections = Array(Set(hits.compactMap(\.connection)).sorted().prefix(Self.exampleCount))
    }
}

extension ConnectionSnapshot {
    /// The client's address without its port.
    var host: String {
        let address = facts.remoteAddress
        return address.lastIndex(of: ":").map { String(address[..<$0]) } ?? address
    }
}
