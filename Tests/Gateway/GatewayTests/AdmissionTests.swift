import APNs
import DeviceSimulator
import Gateway
import TLSEngine
import Testing
import Time

/// A push with one or more faults, and its reason.
@Suite struct AdmissionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var verdict: String
        var settings: @Sendable (inout GatewaySettings) -> Void = { _ in }
        var prepare: @Sendable (GatewayFixture) -> Void = { _ in }
        var certificate: CertificateCredential?
        var edit: @Sendable (inout RequestFixture, GatewayFixture) -> Void = { _, _ in }

        typealias Edit = @Sendable (inout RequestFixture, GatewayFixture) -> Void

        init(
            testDescription: String, verdict: String, certificate: CertificateCredential? = nil,
            edit: @escaping Edit = { _, _ in }
        ) {
            self.testDescription = testDescription
            self.verdict = verdict
            self.certificate = certificate
            self.edit = edit
        }

        init(
            testDescription: String, verdict: String, settings: @escaping @Sendable (inout GatewaySettings) -> Void,
            edit: @escaping Edit
        ) {
            self.init(testDescription: testDescription, verdict: verdict, edit: edit)
            self.settings = settings
        }

        init(
            testDescription: String, verdict: String, prepare: @escaping @Sendable (GatewayFixture) -> Void,
            edit: @escaping Edit = { _, _ in }
        ) {
            self.init(testDescription: testDescription, verdict: verdict, edit: edit)
            self.prepare = prepare
        }

        var reason: APNsReason? { APNsReason(rawValue: String(verdict.prefix { $0 != " " })) }
    }

    static func certificate(_ environments: Set<APNsEnvironment>, problem: String? = nil) -> CertificateCredential {
        CertificateCredential(
            subjectTopic: GatewayFixture.topic, topics: [], environments: environments, problem: problem)
    }

    static let rows = [
        Row(testDescription: "a plain push", verdict: "200"),
        Row(testDescription: "two topics", verdict: "DuplicateHeaders headers.duplicate") { request, _ in
            request.fields.append(("apns-topic", "com.example.app"))
        },
        Row(testDescription: "another path", verdict: "BadPath path.unknown") { request, _ in request[":path"] = "/" },
        Row(testDescription: "GET", verdict: "MethodNotAllowed method.not-post") { request, _ in
            request[":method"] = "GET"
        },
        Row(testDescription: "no token", verdict: "MissingProviderToken token.missing") { request, _ in
            request["authorization"] = nil
        },
        Row(testDescription: "a broken token", verdict: "InvalidProviderToken token.parts") { request, _ in
            request["authorization"] = "bearer secret"
        },
        Row(testDescription: "an old token", verdict: "ExpiredProviderToken token.expired") { request, gateway in
            request["authorization"] = "bearer " + gateway.jwt(age: 3601)
        },
        Row(
            testDescription: "a key for production",
            verdict: "BadEnvironmentKeyInToken key.environment",
            prepare: {
                $0.gateway.keys.register(
                    ProviderKey(
                        keyID: GatewayFixture.keyID, teamID: GatewayFixture.teamID, environments: [.production]),
                    publicKey: $0.privateKey.publicKey)
            }),
        Row(
            testDescription: "a certificate that is not trusted", verdict: "BadCertificate certificate.untrusted",
            certificate: certificate([.sandbox], problem: "self-signed")),
        Row(
            testDescription: "a certificate for production",
            verdict: "BadCertificateEnvironment certificate.environment", certificate: certificate([.production])),
        Row(
            testDescription: "a certificate for another topic", verdict: "TopicDisallowed certificate.topic",
            certificate: certificate([.sandbox])
        ) { request, _ in request["apns-topic"] = "com.example.other" },
        Row(testDescription: "no topic", verdict: "MissingTopic apns-topic.missing") { request, _ in
            request["apns-topic"] = nil
        },
        Row(testDescription: "an empty topic", verdict: "BadTopic apns-topic.form") { request, _ in
            request["apns-topic"] = ""
        },
        Row(
            testDescription: "a topic that the key is not for", verdict: "TopicDisallowed key.topic",
            prepare: {
                $0.gateway.keys.register(
                    ProviderKey(
                        keyID: GatewayFixture.keyID, teamID: GatewayFixture.teamID,
                        scope: .topics(["com.example.other"])),
                    publicKey: $0.privateKey.publicKey)
            }),
        Row(testDescription: "apns-id", verdict: "BadMessageId apns-id.form") { request, _ in request["apns-id"] = "1"
        },
        Row(testDescription: "expiration", verdict: "BadExpirationDate apns-expiration.form") { request, _ in
            request["apns-expiration"] = "1.5"
        },
        Row(testDescription: "priority", verdict: "BadPriority apns-priority.value") { request, _ in
            request["apns-priority"] = "7"
        },
        Row(testDescription: "push type", verdict: "InvalidPushType apns-push-type.unknown") { request, _ in
            request["apns-push-type"] = "Alert"
        },
        Row(testDescription: "a topic without its suffix", verdict: "InvalidPushType apns-topic.missing-suffix") {
            request, _ in
            request["apns-push-type"] = "voip"
        },
        Row(testDescription: "MDM with a token", verdict: "TopicDisallowed apns-push-type.mdm") { request, _ in
            request["apns-push-type"] = "mdm"
        },
        Row(
            testDescription: "background at 10, by choice", verdict: "BadPriority apns-priority.background",
            settings: { $0.refusesBackgroundPriority10 = true }
        ) { request, _ in request["apns-push-type"] = "background" },
        Row(testDescription: "background at 10", verdict: "200") { request, _ in
            request["apns-push-type"] = "background"
        },
        Row(testDescription: "collapse identifier", verdict: "BadCollapseId apns-collapse-id.length") { request, _ in
            request["apns-collapse-id"] = String(repeating: "x", count: 65)
        },
        Row(testDescription: "no device token", verdict: "MissingDeviceToken device-token.missing") { request, _ in
            request[":path"] = "/3/device/"
        },
        Row(testDescription: "half a digit pair", verdict: "BadDeviceToken device-token.odd") { request, _ in
            request[":path"] = "/3/device/123"
        },
        Row(testDescription: "no payload", verdict: "PayloadEmpty payload.empty") { request, _ in request.body = [] },
        Row(testDescription: "4096 bytes", verdict: "200") { request, _ in
            request.body = [UInt8](repeating: 0x20, count: 4096)
        },
        Row(testDescription: "4097 bytes", verdict: "PayloadTooLarge payload.size") { request, _ in
            request.body = [UInt8](repeating: 0x20, count: 4097)
        },
        Row(testDescription: "no JSON", verdict: "200") { request, _ in request.body = "{".bytes },
        Row(
            testDescription: "no JSON, when asked to look", verdict: "MalformedPayload payload.malformed",
            settings: { $0.refusesMalformedPayload = true }
        ) { request, _ in request.body = "{".bytes },
        Row(
            testDescription: "the other environment's device token", verdict: "BadDeviceToken device-token.environment"
        ) { request, _ in request[":authority"] = "api.push.apple.com" },
        Row(testDescription: "another app's device token", verdict: "DeviceTokenNotForTopic device-token.topic") {
            request, _ in
            request["apns-topic"] = "com.example.other"
        },
        Row(
            testDescription: "an app that was removed", verdict: "Unregistered device-token.unregistered",
            prepare: { $0.gateway.simulator.setStatus(.unregistered, of: $0.token, at: .start) }),
        Row(
            testDescription: "a token that is too old", verdict: "ExpiredToken device-token.expired",
            prepare: { $0.gateway.simulator.setStatus(.expired, of: $0.token, at: .start) }),
        Row(
            testDescription: "an unknown token, rejected", verdict: "BadDeviceToken device-token.unknown",
            settings: { $0.unknownTokens = .reject }
        ) { request, _ in request[":path"] = "/3/device/00" },
        Row(testDescription: "an unknown token, registered", verdict: "200") { request, _ in
            request[":path"] = "/3/device/00"
        },
        Row(
            testDescription: "an unknown token, but no room", verdict: "ServiceUnavailable devices.full",
            prepare: {
                for number in 1..<100 {
                    _ = try? $0.gateway.simulator.addDevice(named: "device \(number)", at: .start)
                }
            }
        ) { request, _ in request[":path"] = "/3/device/00" },
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
            let request = fixture.push { request in
                for fault in Self.faults[first...] { fault.2(&request) }
            }
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

    @Test(arguments: PushType.allCases.filter { $0 != .mdm }) func everyPushTypeReachesADevice(_ type: PushType) throws
    {
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
