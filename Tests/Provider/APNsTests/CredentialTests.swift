import APNs
import Testing
import Time

/// Ages, changes and owners of provider tokens, and certificates.
@Suite struct CredentialTests {
    static let ages: [(Duration, String, String)] = [
        (.zero, "passes", ""), (.seconds(3600), "passes", ""),
        (.seconds(3601), "ExpiredProviderToken token.expired", "1 seconds ago"),
        (.seconds(3600 + 300), "ExpiredProviderToken token.expired", "5 minutes ago"),
        (.seconds(3600 * 4), "ExpiredProviderToken token.expired", "3 hours ago"),
        (.seconds(86400 * 5 + 3600), "ExpiredProviderToken token.expired", "5 days ago"),
        (.seconds(-3600), "passes", ""), (.seconds(-3601), "ExpiredProviderToken token.clock", "in the future"),
    ]

    @Test(arguments: ages) func aTokenLastsAnHour(_ age: Duration, _ verdict: String, _ words: String) {
        let result = outcome { () throws(APNsRejection) in try TokenPolicy().checkAge(issuedAt: .now - age, now: .now) }
        #expect(result.verdict == verdict)
        #expect(result.rejection.map { $0.diagnosis.message.contains(words) } ?? true)
    }

    @Test(arguments: [(1e3, "milliseconds"), (1e6, "microseconds"), (1e9, "nanoseconds")])
    func anotherUnitIsNamed(_ factor: Double, _ unit: String) {
        let result = outcome { () throws(APNsRejection) in
            try TokenPolicy().checkAge(issuedAt: Instant(seconds: 1_767_571_200 * factor), now: .now)
        }
        #expect(result.verdict == "ExpiredProviderToken token.iat-milliseconds")
        #expect(result.rejection?.diagnosis.message.contains(unit) == true)
    }

    @Test func aTokenMayChangeOnceEveryTwentyMinutes() throws {
        var updates = TokenUpdates()
        let interval = TokenPolicy().updateInterval
        func use(_ signature: UInt8, _ seconds: Int) -> String {
            outcome { () throws(APNsRejection) in
                try updates.use([signature], now: .now + .seconds(seconds), interval: interval)
            }.verdict
        }
        #expect(use(1, 0) == "passes")
        #expect(use(1, 5) == "passes")
        #expect(use(2, 1199) == "TooManyProviderTokenUpdates token.updates")
        #expect(use(1, 1199) == "passes")
        #expect(use(2, 1200) == "passes")
        #expect(use(1, 1201) == "TooManyProviderTokenUpdates token.updates")
        #expect(use(3, 2399) == "TooManyProviderTokenUpdates token.updates")
        #expect(use(3, 2400) == "passes")
        // The gateway's clock was set back, so the interval is negative.
        #expect(use(4, 0) == "passes")
        #expect(use(5, 1199) == "TooManyProviderTokenUpdates token.updates")
    }

    struct Binding: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var first: ProviderKey?
        var second: ProviderKey?
        var secondTeam = "TEAM000001"
        var verdict: String
    }

    private static func key(_ id: String, _ scope: ProviderKey.Scope, related: String? = nil) -> ProviderKey {
        ProviderKey(keyID: id, teamID: "TEAM000001", scope: scope, relatedKeyID: related)
    }

    private static let topics = ProviderKey.Scope.topics(["com.example.app"])

    static let bindings = [
        Binding(testDescription: "the same key", first: key("A", .team), second: key("A", .team), verdict: "passes"),
        Binding(testDescription: "two team keys", first: key("A", .team), second: key("B", .team), verdict: "passes"),
        Binding(
            testDescription: "another team", first: key("A", .team), second: key("B", .team), secondTeam: "TEAM000002",
            verdict: "InvalidProviderToken connection.team"),
        Binding(
            testDescription: "a topic key after a team key", first: key("A", .team), second: key("B", topics),
            verdict: "UnrelatedKeyIdInToken connection.key"),
        Binding(
            testDescription: "a team key after a topic key", first: key("A", topics), second: key("B", .team),
            verdict: "UnrelatedKeyIdInToken connection.key"),
        Binding(
            testDescription: "an unrelated topic key", first: key("A", topics), second: key("B", topics),
            verdict: "UnrelatedKeyIdInToken connection.key"),
        Binding(
            testDescription: "a related topic key", first: key("A", topics, related: "B"), second: key("B", topics),
            verdict: "passes"),
        Binding(
            testDescription: "a topic key that names the first", first: key("A", topics),
            second: key("B", topics, related: "A"), verdict: "passes"),
        Binding(
            testDescription: "an unknown key after a known one", first: key("A", topics), second: nil, verdict: "passes"
        ),
        Binding(
            testDescription: "an unknown key of another team", first: nil, second: nil, secondTeam: "TEAM000002",
            verdict: "InvalidProviderToken connection.team"),
    ]

    @Test(arguments: bindings) func aConnectionIsBoundToItsFirstToken(_ row: Binding) throws {
        var binding = ConnectionBinding.unbound
        try binding.admit(
            keyID: row.first?.keyID ?? "X", teamID: "TEAM000001", key: row.first, policy: TokenPolicy())
        let result = outcome { () throws(APNsRejection) in
            try binding.admit(
                keyID: row.second?.keyID ?? "Y", teamID: row.secondTeam, key: row.second, policy: TokenPolicy())
        }
        #expect(result.verdict == row.verdict)
    }

    @Test func theReasonForASecondTeamIsConfigurable() throws {
        var policy = TokenPolicy()
        policy.otherTeamReason = .topicDisallowed
        var binding = ConnectionBinding.unbound
        try binding.admit(keyID: "A", teamID: "TEAM000001", key: nil, policy: policy)
        let result = outcome { () throws(APNsRejection) in
            try binding.admit(keyID: "B", teamID: "TEAM000002", key: nil, policy: policy)
        }
        #expect(result.verdict == "TopicDisallowed connection.team")
    }

    @Test(arguments: [
        ("com.example.app", "passes"), ("com.example.app.voip", "passes"),
        ("com.example.app.push-type.widgets", "passes"),
        ("com.example.app.other", "TopicDisallowed key.topic"), ("com.example", "TopicDisallowed key.topic"),
    ]) func aTopicKeyCoversItsTopicsWithTheirSuffixes(_ topic: String, _ verdict: String) {
        let key = Self.key("A", Self.topics)
        #expect(outcome { () throws(APNsRejection) in try key.checkTopic(topic) }.verdict == verdict)
        #expect(outcome { () throws(APNsRejection) in try Self.key("B", .team).checkTopic(topic) }.verdict == "passes")
    }

    @Test(arguments: APNsEnvironment.allCases) func aKeyIsValidInItsEnvironmentsOnly(_ environment: APNsEnvironment) {
        var key = Self.key("A", .team)
        #expect(
            outcome { () throws(APNsRejection) in try key.checkEnvironment(environment) }
                .verdict == "passes")
        key.environments = [.production]
        let verdict = outcome { () throws(APNsRejection) in
            try key.checkEnvironment(environment)
        }.verdict
        #expect(verdict == (environment == .production ? "passes" : "BadEnvironmentKeyInToken key.environment"))
    }

    static let certificates: [(Set<String>, String?, String?, String)] = [
        (["com.example.app"], nil, "com.example.app", "passes"),
        (["com.example.app"], nil, nil, "passes"),
        ([], "com.example.app", nil, "passes"),
        (["com.example.app.voip"], "com.example.app", "com.example.app.voip", "passes"),
        (["com.example.app.voip"], "com.example.app", "com.example.app", "passes"),
        (["com.example.app.voip"], "com.example.app", nil, "MissingTopic apns-topic.several"),
        ([], nil, nil, "MissingTopic apns-topic.several"),
        (["com.example.app"], nil, "com.example.app.voip", "TopicDisallowed certificate.topic"),
        (["com.example.app"], nil, "com.example.other", "TopicDisallowed certificate.topic"),
    ]

    @Test(arguments: certificates) func aCertificateHasTopics(
        _ topics: Set<String>, _ subject: String?, _ header: String?, _ verdict: String
    ) {
        let certificate = CertificateCredential(subjectTopic: subject, topics: topics, environments: [.sandbox])
        #expect(outcome { () throws(APNsRejection) in try certificate.topic(header: header) }.verdict == verdict)
    }

    @Test(arguments: [
        ([APNsEnvironment.sandbox], APNsEnvironment.sandbox, true), ([.sandbox], .production, false),
        ([.production], .sandbox, false), ([.sandbox, .production], .sandbox, true),
        ([.sandbox, .production], .production, true), ([], .production, true), ([], .sandbox, false),
    ]) func aCertificateHasEnvironments(_ own: [APNsEnvironment], _ asked: APNsEnvironment, _ passes: Bool) {
        let certificate = CertificateCredential(subjectTopic: "a", topics: [], environments: Set(own))
        let verdict = outcome { () throws(APNsRejection) in try certificate.checkEnvironment(asked) }.verdict
        #expect(verdict == (passes ? "passes" : "BadCertificateEnvironment certificate.environment"))
    }

    @Test func anUntrustedCertificateIsBad() {
        let certificate = CertificateCredential(subjectTopic: "a", topics: [], environments: [], problem: "expired")
        let result = outcome { () throws(APNsRejection) in try certificate.checkTrust() }
        #expect(result.verdict == "BadCertificate certificate.untrusted")
        #expect(result.rejection?.diagnosis.message.contains("expired") == true)
    }
}
