import APNs
import DeviceModel
import Gateway
import TLSEngine
import Testing
import Time

/// Provider tokens are verified once per connection, and again after a change.
@Suite struct AuthenticationTests {
    typealias Mode = GatewaySettings.AuthenticationMode

    @Test(arguments: Mode.allCases) func aValidTokenIsAccepted(_ mode: Mode) {
        let fixture = GatewayFixture { $0.authenticationMode = mode }
        #expect(fixture.connect().verdict(on: fixture.push(), in: fixture) == "200")
        #expect(fixture.gateway.lastRequest?.authentication == (mode == .off ? .off : .verifiedToken))
    }

    @Test func aDERSignatureIsVerified() {
        let fixture = GatewayFixture { $0.authenticationMode = .strict }
        let header = base64(#"{"kid":"KEY0000001"}"#.bytes)
        let signed = header + "." + base64(#"{"iss":"TEAM000001","iat":"1767571200.5"}"#.bytes)
        let genuine = signed + "." + base64(fixture.privateKey.derSignature(of: signed.bytes))
        let forged = signed + "." + base64(P256PrivateKey().derSignature(of: signed.bytes))
        #expect(fixture.connect().verdict(on: fixture.push(jwt: genuine), in: fixture) == "200")
        let verdict = fixture.connect().verdict(on: fixture.push(jwt: forged), in: fixture)
        #expect(verdict == "InvalidProviderToken token.signature")
    }

    @Test(arguments: [
        (Mode.verify, "InvalidProviderToken token.signature"), (.strict, "InvalidProviderToken token.signature"),
        (.off, "200"),
    ]) func aForgedTokenFails(_ mode: Mode, _ verdict: String) {
        let fixture = GatewayFixture { $0.authenticationMode = mode }
        let connection = fixture.connect()
        for _ in 1...2 {
            let request = fixture.push(jwt: fixture.jwt(key: P256PrivateKey()))
            #expect(connection.verdict(on: request, in: fixture) == verdict)
        }
    }

    @Test(arguments: [
        (Mode.verify, "200", RequestRecord.Authentication.unknownKey),
        (.strict, "InvalidProviderToken token.unknown-key", .none), (.off, "200", .off),
    ]) func anUnknownKeyIsFlaggedOrRejected(
        _ mode: Mode, _ verdict: String, _ authentication: RequestRecord.Authentication
    ) {
        let fixture = GatewayFixture { $0.authenticationMode = mode }
        let request = fixture.push(jwt: fixture.jwt(keyID: "OTHER00001"))
        #expect(fixture.connect().verdict(on: request, in: fixture) == verdict)
        #expect(fixture.gateway.lastRequest?.authentication == authentication)
    }

    @Test(arguments: [
        (
            "AuthKey_KEY0000001.p8",
            "not registered here (Apple's key IDs have ten capital letters and digits; did you mean KEY0000001?)"
        ),
        ("key0000001", "did you mean KEY0000001?"), ("KEY0000001 ", "did you mean KEY0000001?"),
        ("KEYOOOO001", "not registered here (did you mean KEY0000001?)"), ("KEY1", "capital letters and digits)"),
        ("KEY0000002", "not registered here. Register"),
    ]) func anUnknownKeyIDIsCompared(_ keyID: String, _ words: String) throws {
        let strict = GatewayFixture { $0.authenticationMode = .strict }
        _ = strict.connect().answer(strict.push(jwt: strict.jwt(keyID: keyID)))
        #expect(strict.gateway.lastDiagnosis.contains(words), "\(strict.gateway.lastDiagnosis)")
        let fixture = GatewayFixture()
        _ = fixture.connect().answer(fixture.push(jwt: fixture.jwt(keyID: keyID)))
        let record = try #require(fixture.gateway.lastRequest)
        let found = try #require(fixture.gateway.findings(on: record).first { $0.id == "token.unknown-key" })
        #expect(found.message.contains("did you mean KEY0000001?") == words.contains("did you mean"), "\(found)")
    }

    @Test func aRegisteredKeyIDThatAppleHasNotIsRemarked() throws {
        let fixture = GatewayFixture()
        let key = ProviderKey(keyID: "AuthKey.p8", teamID: GatewayFixture.teamID)
        fixture.gateway.keys.register(key, publicKey: fixture.privateKey.publicKey)
        for (keyID, ids) in [("AuthKey.p8", ["token.key-id"]), (GatewayFixture.keyID, [])] {
            #expect(fixture.connect().answer(fixture.push(jwt: fixture.jwt(keyID: keyID))).status == 200)
            let record = try #require(fixture.gateway.lastRequest)
            #expect(fixture.gateway.findings(on: record).map(\.id).filter { $0.hasPrefix("token.") } == ids)
        }
    }

    @Test(arguments: [nil, "", "bearer nonsense", "basic abc"]) func authOffChecksNothing(_ header: String?) {
        let fixture = GatewayFixture { $0.authenticationMode = .off }
        let connection = fixture.connect()
        for _ in 1...2 { #expect(connection.answer(fixture.push { $0["authorization"] = header }).status == 200) }
        let old = fixture.jwt(age: 100_000)
        for _ in 1...2 { #expect(connection.answer(fixture.push(jwt: old)).status == 200) }
        let certificate = AdmissionTests.certificate([.production], problem: "expired")
        let other = fixture.connect(certificate: certificate)
        #expect(other.refusal == nil)
        #expect(other.answer(fixture.push()).status == 200)
    }

    @Test func tokensAcceptedWhileOffAreVerifiedLater() {
        let fixture = GatewayFixture { $0.authenticationMode = .off }
        let connection = fixture.connect()
        let request = fixture.push(jwt: fixture.jwt(key: P256PrivateKey()))
        #expect(connection.verdict(on: request, in: fixture) == "200")
        fixture.gateway.settings.authenticationMode = .verify
        #expect(connection.verdict(on: request, in: fixture) == "InvalidProviderToken token.signature")
        #expect(fixture.connect().verdict(on: request, in: fixture) == "InvalidProviderToken token.signature")
    }

    @Test func aStricterLeniencyAppliesAtOnce() {
        let (fixture, connection) = GatewayFixture.connected()
        let request = fixture.push(jwt: fixture.jwt(iat: "\"1767571200\""))
        #expect(connection.verdict(on: request, in: fixture) == "200")
        fixture.gateway.settings.leniency = .strict
        #expect(connection.verdict(on: request, in: fixture) == "InvalidProviderToken token.iat")
    }

    @Test func aChangeOfKeysForgetsVerifiedTokens() {
        let fixture = GatewayFixture { $0.authenticationMode = .strict }
        let connection = fixture.connect()
        #expect(connection.verdict(on: fixture.push(), in: fixture) == "200")
        #expect(fixture.gateway.keys.remove(GatewayFixture.keyID))
        #expect(connection.verdict(on: fixture.push(), in: fixture) == "InvalidProviderToken token.unknown-key")
        let key = ProviderKey(keyID: GatewayFixture.keyID, teamID: GatewayFixture.teamID)
        fixture.gateway.keys.register(key, publicKey: P256PrivateKey().publicKey)
        #expect(connection.verdict(on: fixture.push(), in: fixture) == "InvalidProviderToken token.signature")
        fixture.gateway.keys.register(key, publicKey: fixture.privateKey.publicKey)
        #expect(connection.verdict(on: fixture.push(), in: fixture) == "200")
    }

    @Test func moreTokensThanTheCacheHoldsAreAccepted() {
        let fixture = GatewayFixture(tokenCapacity: 2)
        let tokens = (0..<5).map { fixture.jwt(age: $0) }
        for token in tokens + tokens { #expect(fixture.connect().answer(fixture.push(jwt: token)).status == 200) }
    }

    @Test func swappedIdentifiersAreRecognised() {
        let fixture = GatewayFixture()
        let jwt = fixture.jwt(keyID: GatewayFixture.teamID, teamID: GatewayFixture.keyID)
        #expect(
            fixture.connect().verdict(on: fixture.push(jwt: jwt), in: fixture)
                == "InvalidProviderToken token.swapped-ids")
    }

    @Test func aKeyOfAnotherTeam() {
        let fixture = GatewayFixture()
        let jwt = fixture.jwt(teamID: "TEAM000002")
        #expect(fixture.connect().verdict(on: fixture.push(jwt: jwt), in: fixture) == "InvalidProviderToken token.team")
        #expect(fixture.gateway.lastDiagnosis.contains("TEAM000001"))
    }

    @Test func aTokenExpiresDuringUse() {
        let (fixture, connection) = GatewayFixture.connected()
        #expect(connection.verdict(on: fixture.push(), in: fixture) == "200")
        fixture.clock.advance(.seconds(3600))
        #expect(connection.verdict(on: fixture.push(), in: fixture) == "200")
        fixture.clock.advance(.seconds(1))
        #expect(connection.verdict(on: fixture.push(), in: fixture) == "ExpiredProviderToken token.expired")
        #expect(connection.verdict(on: fixture.push(jwt: fixture.jwt()), in: fixture) == "200")
    }

    @Test(arguments: [
        (true, Duration.seconds(86_400), "24 hours ahead of real time"),
        (true, .seconds(-86_400), "24 hours behind real time"),
        (false, .seconds(86_400), ""),
    ])
    func aStoppedClockIsNamedWhereATokenIsTooOldOrFromTheFuture(
        isStopped: Bool, lead: Duration, words: String
    ) async throws {
        let fixture = GatewayFixture()
        let good = fixture.jwt()
        let connection = fixture.connect()
        #expect(connection.verdict(on: fixture.push(jwt: good), in: fixture) == "200")
        if isStopped {
            try await fixture.gateway.stopClock(at: lead > .zero ? fixture.clock.now.advanced(by: lead) : nil)
        }
        if !isStopped || lead < .zero { fixture.clock.advance(lead < .zero ? .zero - lead : lead) }
        // By real time it is, or was, new.
        let jwt = lead > .zero ? good : fixture.jwt()
        let verdict = connection.verdict(on: fixture.push(jwt: jwt), in: fixture)
        #expect(verdict == "ExpiredProviderToken \(lead > .zero ? "token.expired" : "token.clock")")
        let diagnosis = fixture.gateway.lastDiagnosis
        #expect(diagnosis.contains("The gateway's clock is stopped") == isStopped)
        #expect(diagnosis.contains(words))
        #expect(diagnosis.contains("pushcote clock reset") == isStopped)
    }

    @Test func oneNewTokenPerConnectionEveryTwentyMinutes() {
        let (fixture, connection) = GatewayFixture.connected()
        let (first, second) = (fixture.jwt(age: 2), fixture.jwt(age: 1))
        let tooMany = "TooManyProviderTokenUpdates token.updates"
        func push(_ jwt: String) -> String { connection.verdict(on: fixture.push(jwt: jwt), in: fixture) }
        #expect(push(first) == "200")
        #expect(push(second) == tooMany)
        #expect(push(first) == "200")
        #expect(fixture.connect().verdict(on: fixture.push(jwt: second), in: fixture) == "200")
        fixture.clock.advance(.seconds(1199))
        #expect(push(second) == tooMany)
        fixture.clock.advance(.seconds(1))
        #expect(push(second) == "200")
        #expect(push(first) == tooMany)
    }

    @Test func oneNewTokenPerKeyEveryTwentyMinutes() {
        let fixture = GatewayFixture { $0.tokenPolicy.updateScope = .key }
        let (first, second) = (fixture.jwt(age: 2), fixture.jwt(age: 1))
        let (one, two) = (fixture.connect(), fixture.connect())
        #expect(one.verdict(on: fixture.push(jwt: first), in: fixture) == "200")
        #expect(two.verdict(on: fixture.push(jwt: second), in: fixture) == "TooManyProviderTokenUpdates token.updates")
        #expect(two.verdict(on: fixture.push(jwt: first), in: fixture) == "200")
        fixture.clock.advance(.seconds(1200))
        #expect(two.verdict(on: fixture.push(jwt: second), in: fixture) == "200")
        // The other connection has cached the first token, but the key has a newer one.
        #expect(one.verdict(on: fixture.push(jwt: first), in: fixture) == "TooManyProviderTokenUpdates token.updates")
    }

    @Test func aRejectedTokenDoesNotBindTheConnection() {
        let (fixture, connection) = GatewayFixture.connected()
        let old = fixture.jwt(keyID: "OTHER00001", teamID: "TEAM000002", age: 3601)
        #expect(connection.verdict(on: fixture.push(jwt: old), in: fixture) == "ExpiredProviderToken token.expired")
        #expect(connection.verdict(on: fixture.push(), in: fixture) == "200")
    }

    @Test func aTopicKeyIsUnrelatedToATeamKey() {
        let (fixture, connection) = GatewayFixture.connected()
        let other = P256PrivateKey()
        fixture.gateway.keys.register(
            ProviderKey(keyID: "KEY0000002", teamID: GatewayFixture.teamID, scope: .topics([GatewayFixture.topic])),
            publicKey: other.publicKey)
        let jwt = fixture.jwt(key: other, keyID: "KEY0000002")
        #expect(connection.verdict(on: fixture.push(), in: fixture) == "200")
        #expect(connection.verdict(on: fixture.push(jwt: jwt), in: fixture) == "UnrelatedKeyIdInToken connection.key")
        let own = fixture.connect()
        #expect(own.verdict(on: fixture.push(jwt: jwt), in: fixture) == "200")
        let elsewhere = fixture.push(jwt: jwt) { $0["apns-topic"] = "com.example.other" }
        #expect(own.verdict(on: elsewhere, in: fixture) == "TopicDisallowed key.topic")
        #expect(own.verdict(on: elsewhere, in: fixture) == "TopicDisallowed key.topic")
    }

    @Test func relatedKeysHaveTheirOwnTokenUpdates() {
        let fixture = GatewayFixture()
        let keys = ["KEY0000002", "KEY0000003", "KEY0000004"]
        let tokens = keys.map { id in
            let key = P256PrivateKey()
            fixture.gateway.keys.register(
                ProviderKey(
                    keyID: id, teamID: GatewayFixture.teamID, scope: .topics([GatewayFixture.topic]),
                    relatedKeyID: id == keys[1] ? keys[0] : nil), publicKey: key.publicKey)
            return (fixture.jwt(key: key, keyID: id), fixture.jwt(key: key, keyID: id, age: 60))
        }
        let connection = fixture.connect()
        func push(_ jwt: String) -> String { connection.verdict(on: fixture.push(jwt: jwt), in: fixture) }
        for _ in 1...2 { for (jwt, _) in tokens.prefix(2) { #expect(push(jwt) == "200") } }
        for (_, other) in tokens.prefix(2) { #expect(push(other) == "TooManyProviderTokenUpdates token.updates") }
        #expect(push(tokens[2].0) == "UnrelatedKeyIdInToken connection.key")
    }

    @Test func aKeyOfOneEnvironmentIsCheckedForEachRequest() {
        let fixture = GatewayFixture()
        fixture.gateway.keys.register(
            ProviderKey(keyID: GatewayFixture.keyID, teamID: GatewayFixture.teamID, environments: [.sandbox]),
            publicKey: fixture.privateKey.publicKey)
        let connection = fixture.connect()
        let production = fixture.push { $0[":authority"] = "api.push.apple.com" }
        #expect(connection.verdict(on: fixture.push(), in: fixture) == "200")
        #expect(connection.verdict(on: production, in: fixture) == "BadEnvironmentKeyInToken key.environment")
        #expect(connection.verdict(on: fixture.push(), in: fixture) == "200")
    }

    @Test func aCertificateReplacesTokenAndTopic() {
        let fixture = GatewayFixture()
        let connection = fixture.connect(certificate: AdmissionTests.certificate([.sandbox]))
        #expect(connection.refusal == nil)
        let request = fixture.push {
            $0["apns-topic"] = nil
            // Ignored, according to Apple.
            $0["authorization"] = "bearer nonsense"
        }
        for _ in 1...2 { #expect(connection.verdict(on: request, in: fixture) == "200") }
        #expect(fixture.gateway.lastRequest?.authentication == .certificate)
    }

    @Test func aCertificateOfTheOtherEnvironmentEndsTheConnection() {
        let fixture = GatewayFixture()
        let certificate = AdmissionTests.certificate([.production])
        #expect(fixture.connect(certificate: certificate).refusal?.reason == .badCertificateEnvironment)
        #expect(fixture.connect(certificate: certificate, serverName: "api.push.apple.com").refusal == nil)
        let target = "api.sandbox.push.apple.com:443"
        let behindProxy = fixture.connect(
            certificate: certificate, connectTarget: target, serverName: "api.push.apple.com")
        #expect(behindProxy.refusal?.reason == .badCertificateEnvironment)
        let shown = fixture.gateway.connectionLog.snapshots.map { $0.refusal?.diagnosis.code }
        #expect(shown == ["certificate.environment", nil, "certificate.environment"])
    }

    @Test func anMDMPushNeedsACertificate() {
        let fixture = GatewayFixture()
        let topic = "com.apple.mgmt.External.6c2d8a54"
        let certificate = CertificateCredential(subjectTopic: topic, topics: [], environments: [])
        let request = fixture.push {
            $0[":path"] = "/3/device/55"
            $0[":authority"] = "api.push.apple.com"
            $0["apns-topic"] = topic
            $0["apns-push-type"] = "mdm"
            $0.body = #"{"mdm":"magic"}"#.bytes
        }
        #expect(fixture.connect(certificate: certificate).verdict(on: request, in: fixture) == "200")
        #expect(fixture.connect().verdict(on: request, in: fixture) == "TopicDisallowed apns-push-type.mdm")
    }

    @Test func aConnectionShowsEachTokenOnce() {
        let (fixture, connection) = GatewayFixture.connected()
        let jwt = fixture.jwt(age: 10)
        _ = connection.answer(fixture.push(jwt: jwt))
        fixture.gateway.settings.streamLimit = 7
        _ = connection.answer(fixture.push(jwt: jwt))
        fixture.clock.advance(.seconds(1200))
        _ = connection.answer(fixture.push(jwt: fixture.jwt()))
        _ = connection.answer(fixture.push { $0["authorization"] = nil })
        let snapshot = fixture.gateway.connectionLog.snapshots.last
        #expect(snapshot?.tokens.map(\.issuedAt.seconds) == [1_767_571_190, 1_767_572_400])
        #expect(snapshot?.accepted == 3)
        #expect(snapshot?.refused == 1)
    }
}
