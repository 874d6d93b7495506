import APNs
import DeviceSimulator
import Gateway
import TLSEngine
import Testing

/// A push with one or more faults, and its reason.
@Suite struct AdmissionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var verdict: String
        var certificate: CertificateCredential?
        /// Instead of those of a valid push; `nil` leaves a header out.
        var headers: [String: String?] = [:]
        var body: [UInt8]?
        var settings: @Sendable (inout GatewaySettings) -> Void = { _ in }
        var prepare: @Sendable (GatewayFixture) -> Void = { _ in }

        init(
            _ name: String, _ verdict: String, _ headers: [String: String?] = [:], body: [UInt8]? = nil,
            certificate: CertificateCredential? = nil,
            settings: @escaping @Sendable (inout GatewaySettings) -> Void = { _ in },
            prepare: @escaping @Sendable (GatewayFixture) -> Void = { _ in }
        ) {
            (testDescription, self.verdict, self.headers, self.body) = (name, verdict, headers, body)
            (self.certificate, self.settings, self.prepare) = (certificate, settings, prepare)
        }

        func edit(_ request: inout RequestFixture, _ fixture: GatewayFixture) {
            for (name, value) in headers {
                switch value {
                case "twice": request.fields.append((name, GatewayFixture.topic))
                case "old": request[name] = "bearer " + fixture.jwt(age: 3601)
                default: request[name] = value
                }
            }
            if let body { request.body = body }
        }

        var reason: APNsReason? { APNsReason(rawValue: String(verdict.prefix { $0 != " " })) }
    }

    static func certificate(_ environments: Set<APNsEnvironment>, problem: String? = nil) -> CertificateCredential {
        CertificateCredential(
            subjectTopic: GatewayFixture.topic, topics: [], environments: environments, problem: problem)
    }

    static let rows: [Row] = [
        Row("a plain push", "200"),
        Row("two topics", "DuplicateHeaders headers.duplicate", ["apns-topic": "twice"]),
        Row("another path", "BadPath path.unknown", [":path": "/"]),
        Row("GET", "MethodNotAllowed method.not-post", [":method": "GET"]),
        Row("no token", "MissingProviderToken token.missing", ["authorization": nil]),
        Row("a broken token", "InvalidProviderToken token.parts", ["authorization": "bearer secret"]),
        Row("an old token", "ExpiredProviderToken token.expired", ["authorization": "old"]),
        Row(
            "a key for production", "BadEnvironmentKeyInToken key.environment",
            prepare: {
                $0.gateway.keys.register(
                    ProviderKey(
                        keyID: GatewayFixture.keyID, teamID: GatewayFixture.teamID, environments: [.production]),
                    publicKey: $0.privateKey.publicKey)
            }),
        Row(
            "a certificate that is not trusted", "BadCertificate certificate.untrusted",
            certificate: certificate([.sandbox], problem: "self-signed")),
        Row(
            "a certificate for production", "BadCertificateEnvironment certificate.environment",
            certificate: certificate([.production])),
        Row(
            "a certificate for another topic", "TopicDisallowed certificate.topic", ["apns-topic": "com.example.other"],
            certificate: certificate([.sandbox])),
        Row("no topic", "MissingTopic apns-topic.missing", ["apns-topic": nil]),
        Row("an empty topic", "BadTopic apns-topic.form", ["apns-topic": ""]),
        Row(
            "a topic that the key is not for", "TopicDisallowed key.topic",
            prepare: {
                $0.gateway.keys.register(
                    ProviderKey(
                        keyID: GatewayFixture.keyID, teamID: GatewayFixture.teamID,
                        scope: .topics(["com.example.other"])),
                    publicKey: $0.privateKey.publicKey)
            }),
        Row("apns-id", "BadMessageId apns-id.form", ["apns-id": "1"]),
        Row("expiration", "BadExpirationDate apns-expiration.form", ["apns-expiration": "1.5"]),
        Row("priority", "BadPriority apns-priority.value", ["apns-priority": "7"]),
        Row("push type", "InvalidPushType apns-push-type.unknown", ["apns-push-type": "Alert"]),
        Row("a topic without its suffix", "InvalidPushType apns-topic.missing-suffix", ["apns-push-type": "voip"]),
        Row("MDM with a token", "TopicDisallowed apns-push-type.mdm", ["apns-push-type": "mdm"]),
        Row(
            "background at 10, by choice", "BadPriority apns-priority.background", ["apns-push-type": "background"],
            settings: { $0.refusesBackgroundPriority10 = true }),
        Row("background at 10", "200", ["apns-push-type": "background"]),
        Row(
            "collapse identifier", "BadCollapseId apns-collapse-id.length",
            ["apns-collapse-id": String(repeating: "x", count: 65)]),
        Row("no device token", "MissingDeviceToken device-token.missing", [":path": "/3/device/"]),
        Row("half a digit pair", "BadDeviceToken device-token.odd", [":path": "/3/device/123"]),
        Row("no payload", "PayloadEmpty payload.empty", body: []),
        Row("4096 bytes", "200", body: [UInt8](repeating: 0x20, count: 4096)),
        Row("4097 bytes", "PayloadTooLarge payload.size", body: [UInt8](repeating: 0x20, count: 4097)),
        Row("no JSON", "200", body: "{".bytes),
        Row(
            "no JSON, when asked to look", "MalformedPayload payload.malformed", body: "{".bytes,
            settings: { $0.refusesMalformedPayload = true }),
        Row(
            "the other environment's device token", "BadDeviceToken device-token.environment",
            [":authority": "api.push.apple.com"]),
        Row(
            "another app's device token", "DeviceTokenNotForTopic device-token.topic",
            ["apns-topic": "com.example.other"]),
        Row(
            "an app that was removed", "Unregistered device-token.unregistered",
            prepare: { $0.gateway.simulator.setStatus(.unregistered, of: $0.token, at: .start) }),
        Row(
            "a token that is too old", "ExpiredToken device-token.expired",
            prepare: { $0.gateway.simulator.setStatus(.expired, of: $0.token, at: .start) }),
        Row(
            "an unknown token, rejected", "BadDeviceToken device-token.unknown", [":path": "/3/device/00"],
            settings: { $0.unknownTokens = .reject }),
        Row("an unknown token, registered", "200", [":path": "/3/device/00"]),
        Row(
            "an unknown token, but no room", "ServiceUnavailable devices.full", [":path": "/3/device/00"],
            prepare: {
                for number in 1..<100 {
                    _ = try? $0.gateway.simulator.addDevice(named: "device \(number)", at: .start)
                }
            }),
    ]

    @Test(arguments: rows) func judges(_ row: Row) {
        let fixture = GatewayFixture(edit: row.settings)
        row.prepare(fixture)
        let connection = fixture.connect(certificate: row.certificate)
        // Twice: the connection's cache of its last push must not change the answer to the next.
        for _ in 1...2 {
            let request = fixture.push { row.edit(&$0, fixture) }
            #expect(connection.verdict(on: request, in: fixture) == row.verdict)
        }
    }

    @Test(arguments: rows) func anEarlierAcceptedPushDoesNotChangeTheAnswer(_ row: Row) {
        guard row.certificate == nil else { return }
        let fixture = GatewayFixture(edit: row.settings)
        let connection = fixture.connect()
        #expect(connection.answer(fixture.push()).status == 200)
        row.prepare(fixture)
        // A new token within 20 minutes would be a fault of its own.
        fixture.clock.advance(.seconds(1200))
        #expect(connection.verdict(on: fixture.push { row.edit(&$0, fixture) }, in: fixture) == row.verdict)
    }

    /// Produced by shutdown, by fault rules or by several requests; see `AuthenticationTests`.
    static let elsewhere: Set<APNsReason> = [
        .idleTimeout, .forbidden, .tooManyRequests, .internalServerError, .shutdown, .tooManyProviderTokenUpdates,
        .unrelatedKeyIDInToken,
    ]

    @Test func everyReasonHasARow() {
        let all = Set(Self.rows.compactMap(\.reason)).union(Self.elsewhere).union(
            ChannelTests.rows.compactMap(\.reason))
        #expect(all == Set(APNsReason.allCases))
        #expect(Self.elsewhere.isDisjoint(with: Self.rows.compactMap(\.reason)))
    }

    /// One fault per check, in the order of the checks.
    static let faults: [(AdmissionCheck, String, @Sendable (inout RequestFixture) -> Void)] = [
        (.duplicateHeaders, "DuplicateHeaders", { $0.fields += [("apns-channel-id", "a"), ("apns-channel-id", "a")] }),
        (.path, "BadPath", { $0[":path"] = "/" + ($0[":path"] ?? "") }),
        (.method, "MethodNotAllowed", { $0[":method"] = "GET" }),
        (.authentication, "MissingProviderToken", { $0["authorization"] = nil }),
        (.topic, "BadTopic", { $0["apns-topic"] = "*" }),
        (.messageID, "BadMessageId", { $0["apns-id"] = "1" }),
        (.expiration, "BadExpirationDate", { $0["apns-expiration"] = "never" }),
        (.priority, "BadPriority", { $0["apns-priority"] = "2" }),
        (.pushType, "InvalidPushType", { $0["apns-push-type"] = "none" }),
        (.collapseID, "BadCollapseId", { $0["apns-collapse-id"] = String(repeating: "x", count: 65) }),
        (.deviceToken, "BadDeviceToken", { $0[":path"] = ($0[":path"] ?? "") + "z" }),
        (.payload, "PayloadEmpty", { $0.body = [] }),
        (.device, "DeviceTokenNotForTopic", { if $0["apns-topic"] != "*" { $0["apns-topic"] = "com.example.other" } }),
    ]

    @Test func theFirstFailingCheckDecidesTheReason() {
        #expect(Self.faults.map(\.0) == AdmissionCheck.order)
        for first in Self.faults.indices {
            let fixture = GatewayFixture()
            let request = fixture.push { request in for fault in Self.faults[first...] { fault.2(&request) } }
            let verdict = fixture.connect().verdict(on: request, in: fixture)
            #expect(verdict.hasPrefix(Self.faults[first].1 + " "), "\(Self.faults[first].0): \(verdict)")
        }
    }

    @Test(arguments: [
        (5120, "com.example.app.voip", "voip", "200"),
        (5121, "com.example.app.voip", "voip", "PayloadTooLarge payload.size"),
        (4097, "com.example.app.voip-ptt", "pushtotalk", "PayloadTooLarge payload.size"),
    ]) func aVoIPPushMayBeLarger(_ count: Int, _ topic: String, _ type: String, _ verdict: String) {
        let fixture = GatewayFixture()
        let request = fixture.push {
            $0[":path"] = "/3/device/77"
            $0["apns-topic"] = topic
            $0["apns-push-type"] = type
            $0.body = [UInt8](repeating: 0x20, count: count)
        }
        #expect(fixture.connect().verdict(on: request, in: fixture) == verdict)
    }

    @Test(arguments: PushType.allCases.filter { $0 != .mdm })
    func everyPushTypeReachesADevice(_ type: PushType) throws {
        let fixture = GatewayFixture()
        let request = fixture.push {
            $0[":path"] = "/3/device/77"
            $0["apns-topic"] = GatewayFixture.topic + type.topicSuffix
            $0["apns-push-type"] = type.name
        }
        let connection = fixture.connect()
        #expect(connection.answer(request).status == 200)
        let notification = try #require(fixture.gateway.simulator.notifications().items.last)
        #expect(notification.push.pushType == type)
        #expect(notification.registration.kind == type.tokenKind)
        // The push type cached for one topic is not accepted with another.
        let other = fixture.push {
            $0[":path"] = "/3/device/78"
            $0["apns-topic"] = type.topicSuffix.isEmpty ? "com.example.app.voip" : "com.example.app"
            $0["apns-push-type"] = type.name
        }
        #expect(connection.verdict(on: other, in: fixture).hasPrefix("InvalidPushType"))
    }

    @Test(arguments: [
        ("{", "line 1, column 2"), (#"{"aps":1}"#, "aps is not an object"), ("[]", "not an object"),
    ]) func saysWhatIsWrongWithAPayload(_ payload: String, _ words: String) {
        let fixture = GatewayFixture { $0.refusesMalformedPayload = true }
        let request = fixture.push { $0.body = payload.bytes }
        #expect(fixture.connect().answer(request).status == 400)
        #expect(fixture.gateway.lastDiagnosis.contains(words))
    }
}
