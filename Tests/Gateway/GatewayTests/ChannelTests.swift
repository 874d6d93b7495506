import APNs
import DeviceModel
import DeviceSimulator
import RequestWire
import TLSEngine
import Testing

@testable import Gateway

/// Broadcasts and channel management: a valid request with one fault, and its reason. `B…` are the rules of
/// broadcasts on devices.
@Suite struct ChannelTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var action: ChannelAction
        var verdict: String
        var certificate: CertificateCredential?
        var prepare: @Sendable (ChannelFixture) -> Void = { _ in }
        var edit: @Sendable (inout RequestFixture, ChannelFixture) -> Void = { _, _ in }

        /// - Parameter headers: Instead of those of a valid request; `nil` leaves a header out.
        init(
            _ name: String, _ action: ChannelAction, _ verdict: String, _ headers: [String: String?] = [:],
            body: [UInt8]? = nil, certificate: CertificateCredential? = nil,
            prepare: @escaping @Sendable (ChannelFixture) -> Void = { _ in }
        ) {
            (testDescription, self.action, self.verdict) = (name, action, verdict)
            (self.certificate, self.prepare) = (certificate, prepare)
            edit = { request, _ in
                for (name, value) in headers { request[name] = value }
                if let body { request.body = body }
            }
        }

        init(
            _ name: String, _ action: ChannelAction, _ verdict: String, certificate: CertificateCredential? = nil,
            edit: @escaping @Sendable (inout RequestFixture, ChannelFixture) -> Void
        ) {
            self.init(name, action, verdict, certificate: certificate)
            self.edit = edit
        }

        var reason: APNsReason? { APNsReason(rawValue: String(verdict.prefix { $0 != " " })) }
    }

    private static let other = "QUJDREVGR0hJSktMTU5PUA=="
    private static let long = String(repeating: "A", count: 132)

    static let rows: [Row] = [
        Row("a good broadcast", .broadcast, "200"),
        Row("a good broadcast on a channel that stores", .broadcast, "200") { request, fixture in
            request["apns-channel-id"] = fixture.storing
            request["apns-expiration"] = "1767574800"
        },
        Row("expiration 0 on a channel that stores", .broadcast, "200") { request, fixture in
            request["apns-channel-id"] = fixture.storing
        },
        Row("a new channel", .create, "201"), Row("a channel read", .read, "200"),
        Row("a channel deleted", .delete, "204"), Row("all channels", .list, "200"),
        // Before the credentials.
        Row("a repeated header", .broadcast, "DuplicateHeaders headers.duplicate") { request, _ in
            request.fields.append(("apns-priority", "5"))
        },
        Row("a path too long", .broadcast, "BadPath path.unknown") { request, _ in request[":path"]! += "/x" },
        Row("a path without an app", .create, "BadPath path.unknown", [":path": "/1/apps//channels"]),
        Row("no app's bundle identifier", .create, "BadPath path.unknown", [":path": "/1/apps/a%20b/channels"]),
        Row("a broadcast read", .broadcast, "MethodNotAllowed method.channels", [":method": "GET"]),
        Row("all channels deleted at once", .list, "MethodNotAllowed method.channels", [":method": "DELETE"]),
        Row("a channel replaced", .create, "MethodNotAllowed method.channels", [":method": "PUT"]),
        // Credentials.
        Row("no credentials", .create, "MissingProviderToken token.missing", ["authorization": nil]),
        Row("a token of another key", .broadcast, "InvalidProviderToken token.signature") { request, fixture in
            request["authorization"] = "bearer " + fixture.base.jwt(key: P256PrivateKey())
        },
        Row("an old token", .list, "ExpiredProviderToken token.expired") { request, fixture in
            request["authorization"] = "bearer " + fixture.base.jwt(age: 4000)
        },
        Row("a suffix in the path", .broadcast, "TopicDisallowed path.suffix") { request, _ in
            request[":path"]! += ".push-type.liveactivity"
        },
        Row("a key for another app", .create, "TopicMismatch key.topic", prepare: { $0.limitKey() }),
        Row(
            "a certificate of another app", .broadcast, "TopicMismatch certificate.topic",
            certificate: CertificateCredential(
                subjectTopic: "com.example.other", topics: [], environments: [.sandbox])),
        Row(
            "a certificate of the app", .broadcast, "200",
            certificate: CertificateCredential(
                subjectTopic: GatewayFixture.topic, topics: [], environments: [.sandbox])
        ) { request, _ in request["authorization"] = nil },
        // The identifier of the request.
        Row("a request ID", .create, "201", ["apns-request-id": "123e4567-e89b-12d3-a456-4266554400a0"]),
        Row("no request ID", .create, "BadMessageId apns-request-id.form", ["apns-request-id": "1"]),
        Row("no apns-id", .broadcast, "BadMessageId apns-id.form", ["apns-id": "1"]),
        Row(
            "an app without broadcasts", .create, "BroadcastFeatureNotEnabled app.broadcasts",
            prepare: { $0.switchBroadcastsOff() }),
        // The channel.
        Row("no channel", .broadcast, "MissingChannelId apns-channel-id.missing", ["apns-channel-id": nil]),
        Row("no channel to read", .read, "MissingChannelId apns-channel-id.missing", ["apns-channel-id": nil]),
        Row("no base64", .broadcast, "BadChannelId apns-channel-id.form", ["apns-channel-id": "a channel"]),
        Row("base64url", .delete, "BadChannelId apns-channel-id.form", ["apns-channel-id": "QUJD-_GH"]),
        Row("an ID too long", .broadcast, "BadChannelId apns-channel-id.form", ["apns-channel-id": long]),
        Row("a channel that never was", .broadcast, "BadChannelId channel.never-existed", ["apns-channel-id": other]),
        Row("a channel of the other environment", .broadcast, "BadChannelId channel.owner") { request, fixture in
            request["apns-channel-id"] = fixture.inProduction
        },
        Row(
            "a deleted channel", .broadcast, "ChannelNotRegistered channel.deleted", prepare: { $0.deleteChannel() }),
        Row("a deleted channel read", .read, "BadPath channel.unknown", prepare: { $0.deleteChannel() }),
        Row("an unknown channel deleted", .delete, "BadPath channel.unknown", ["apns-channel-id": other]),
        // A broadcast's headers and payload.
        Row("no expiration", .broadcast, "BadExpirationDate apns-expiration.missing", ["apns-expiration": nil]),
        Row(
            "a fractional expiration", .broadcast, "BadExpirationDate apns-expiration.form", ["apns-expiration": "1.5"]),
        Row(
            "B6: an expiration where nothing is stored", .broadcast, "BadExpirationDate apns-expiration.storage",
            ["apns-expiration": "1767574800"]),
        Row("no priority", .broadcast, "BadPriority apns-priority.missing", ["apns-priority": nil]),
        Row("another priority", .broadcast, "BadPriority apns-priority.value", ["apns-priority": "7"]),
        Row("no push type", .broadcast, "MissingPushType apns-push-type.missing", ["apns-push-type": nil]),
        Row("an alert", .broadcast, "InvalidPushType apns-push-type.broadcast", ["apns-push-type": "alert"]),
        Row("Apple's other spelling", .broadcast, "200", ["apns-push-type": "LiveActivity"]),
        Row("no payload", .broadcast, "PayloadEmpty payload.empty", body: []),
        Row("the largest payload", .broadcast, "200", body: [UInt8](repeating: 0x20, count: 5120)),
        Row("one byte more", .broadcast, "PayloadTooLarge payload.size", body: [UInt8](repeating: 0x20, count: 5121)),
        // A new channel's body.
        Row("no JSON", .create, "BadRequestPayload channel.json", body: "x".bytes),
        Row("no body", .create, "BadRequestPayload channel.json", body: []),
        Row("an array", .create, "BadRequestPayload channel.json", body: "[]".bytes),
        Row(
            "another member", .create, "BadRequestParams channel.member",
            body: #"{"message-storage-policy":1,"push-type":"LiveActivity","name":"x"}"#.bytes),
        Row(
            "no type", .create, "MissingPushType channel.push-type.missing",
            body: #"{"message-storage-policy":1}"#.bytes),
        Row(
            "another type", .create, "InvalidPushType channel.push-type",
            body: #"{"message-storage-policy":1,"push-type":"alert"}"#.bytes),
        Row(
            "no policy", .create, "MissingChannelQueueSize channel.storage-policy",
            body: #"{"push-type":"LiveActivity"}"#.bytes),
        Row(
            "another policy", .create, "MissingChannelQueueSize channel.storage-policy",
            body: #"{"message-storage-policy":2,"push-type":"LiveActivity"}"#.bytes),
        Row(
            "a policy in words", .create, "MissingChannelQueueSize channel.storage-policy",
            body: #"{"message-storage-policy":true,"push-type":"LiveActivity"}"#.bytes),
        Row("one channel too many", .create, "CannotCreateChannelConfig channel.limit", prepare: { $0.fill() }),
        Row("the last channel", .create, "201", prepare: { $0.fill(but: 1) }),
    ]

    @Test(arguments: rows) func eachFaultHasItsReason(_ row: Row) {
        let fixture = ChannelFixture()
        row.prepare(fixture)
        let connection = fixture.base.connect(certificate: row.certificate, traffic: .clearText)
        var request = fixture.request(row.action)
        row.edit(&request, fixture)
        #expect(connection.verdict(on: request.request, in: fixture.base) == row.verdict)
    }

    /// One fault per check, in the order of the checks.
    static let order: [@Sendable (inout RequestFixture) -> Void] = [
        { $0.fields.append(("apns-priority", "5")) },
        { $0[":path"] = "/4/broadcasts/apps" },
        { $0[":method"] = "GET" },
        { $0["authorization"] = nil },
        { $0[":path"] = "/4/broadcasts/apps/com.example.app.voip" },
        { $0["apns-request-id"] = "1" },
        { $0["apns-channel-id"] = "1" },
        { $0["apns-expiration"] = nil },
        { $0["apns-priority"] = "2" },
        { $0["apns-push-type"] = "alert" },
        { $0.body = [] },
    ]

    static let reasons = [
        "DuplicateHeaders", "BadPath", "MethodNotAllowed", "MissingProviderToken", "TopicDisallowed", "BadMessageId",
        "BadChannelId", "BadExpirationDate", "BadPriority", "InvalidPushType", "PayloadEmpty",
    ]

    @Test(arguments: order.indices) func theFirstFailingCheckIsTheAnswer(_ first: Int) {
        let fixture = ChannelFixture()
        var request = fixture.request(.broadcast)
        // Later faults first: the path is edited twice.
        for edit in Self.order[first...].reversed() { edit(&request) }
        let connection = fixture.base.connect(traffic: .clearText)
        #expect(connection.verdict(on: request.request, in: fixture.base).hasPrefix(Self.reasons[first]))
    }

    // MARK: Answers

    @Test func theRequestIDIsEchoedOrGenerated() throws {
        let fixture = ChannelFixture()
        let connection = fixture.base.connect(traffic: .clearText)
        var request = fixture.request(.broadcast)
        let own = connection.answer(request.request)
        #expect(own.channel?.id == fixture.plain && own.echo == nil && own.uniqueID != nil)
        for name in ["apns-id", "apns-request-id"] {
            request["apns-request-id"] = nil
            request[name] = "123E4567-e89b-12d3-a456-4266554400A0"
            let block = request.request
            let answer = connection.answer(block)
            let echo = try #require(answer.echo)
            #expect(String(decoding: block.bytes[echo.bounds], as: UTF8.self) == request[name])
        }
    }

    @Test("a rejected request echoes both identifiers and has no apns-unique-id") func refused() throws {
        let fixture = ChannelFixture()
        var request = fixture.request(.broadcast)
        request["apns-request-id"] = "123e4567-e89b-12d3-a456-4266554400a0"
        request["apns-priority"] = nil
        let answer = fixture.base.connect(traffic: .clearText).answer(request.request)
        #expect(answer.status == 400 && answer.echo != nil && answer.uniqueID == nil)
        #expect(answer.channel?.id == fixture.plain)
    }

    @Test("an accepted broadcast has apns-unique-id in production too") func uniqueID() {
        let fixture = ChannelFixture()
        var request = fixture.request(.broadcast)
        request[":authority"] = "api.push.apple.com"
        request["apns-channel-id"] = fixture.inProduction
        #expect(fixture.base.connect().answer(request.request).uniqueID != nil)
    }

    @Test func bodiesMatchApples() throws {
        let fixture = ChannelFixture()
        let connection = fixture.base.connect(traffic: .clearText)
        let read = connection.answer(fixture.request(.read).request)
        #expect(
            String(decoding: read.body, as: UTF8.self) == #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#)
        let list = connection.answer(fixture.request(.list).request)
        #expect(
            String(decoding: list.body, as: UTF8.self) == #"{"channels":["\#(fixture.plain)","\#(fixture.storing)"]}"#)
        let made = connection.answer(fixture.request(.create).request)
        #expect(made.body.isEmpty && made.channel?.id?.count == 24)
        #expect(connection.answer(fixture.request(.delete).request).body.isEmpty)
    }

    @Test("B12: disabling an app's broadcasts deletes its channels permanently") func capability() {
        let fixture = ChannelFixture()
        fixture.switchBroadcastsOff()
        fixture.base.gateway.simulator.put(App(bundleID: GatewayFixture.topic))
        let connection = fixture.base.connect(traffic: .clearText)
        let answer = connection.verdict(on: fixture.request(.broadcast).request, in: fixture.base)
        #expect(answer == "ChannelNotRegistered channel.deleted")
    }

    @Test func theSameSeedGivesTheSameIDs() {
        let ids = (0..<2).map { _ -> String? in
            let fixture = ChannelFixture()
            return fixture.base.connect(traffic: .clearText).answer(fixture.request(.create).request).channel?.id
        }
        #expect(ids[0] != nil && ids[0] == ids[1])
    }

    // MARK: Ports and names

    struct Place: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var traffic: Traffic
        var target: String?
        var authority = "localhost"
        var served: Set<String>
        var environment = APNsEnvironment.sandbox
    }

    static let places = [
        Place(testDescription: "provider port", traffic: .provider, served: ["push", "broadcast"]),
        Place(testDescription: "clear text", traffic: .clearText, served: ["push", "broadcast", "channels"]),
        Place(testDescription: "2195", traffic: .channelsSandbox, served: ["channels"]),
        Place(
            testDescription: "2196", traffic: .channelsProduction, authority: "api.sandbox.push.apple.com",
            served: ["channels"], environment: .production),
        Place(
            testDescription: "proxy", traffic: .proxy, target: "api.push.apple.com", served: ["push", "broadcast"],
            environment: .production),
        Place(
            testDescription: "proxy to channel management", traffic: .proxy,
            target: "api-manage-broadcast.sandbox.push.apple.com", served: ["channels"]),
        Place(
            testDescription: "provider port by Apple's name", traffic: .provider,
            authority: "api-manage-broadcast.push.apple.com:2196", served: ["push", "broadcast", "channels"],
            environment: .production),
        Place(
            testDescription: "Apple's other name for broadcasts", traffic: .provider,
            authority: "api-broadcast.push.apple.com", served: ["push", "broadcast"], environment: .production),
    ]

    @Test(arguments: places) func eachPortServesItsPaths(_ place: Place) throws {
        let fixture = ChannelFixture()
        let isProduction = place.environment == .production
        let token = try fixture.base.gateway.simulator.register(
            device: "phone", topic: GatewayFixture.topic, environment: place.environment, kind: .app, at: .start
        ).token
        var requests = [
            "push": fixture.base.push(token: token) { $0[":authority"] = place.authority },
            "channels": fixture.request(.list).edited { $0[":authority"] = place.authority }.request,
        ]
        requests["broadcast"] =
            fixture.request(.broadcast).edited {
                $0[":authority"] = place.authority
                if isProduction { $0["apns-channel-id"] = fixture.inProduction }
            }.request
        for (name, request) in requests {
            let connection = fixture.base.connect(connectTarget: place.target, traffic: place.traffic)
            let answer = connection.answer(request)
            #expect(answer.status == (place.served.contains(name) ? 200 : 404), "\(name)")
            guard name == "channels", answer.status == 200 else { continue }
            #expect(String(decoding: answer.body, as: UTF8.self).contains(fixture.inProduction) == isProduction)
        }
    }

    // MARK: Records

    @Test func aBroadcastIsRecordedWithItsChannel() throws {
        let fixture = ChannelFixture()
        let connection = fixture.base.connect(traffic: .clearText)
        _ = connection.answer(fixture.request(.broadcast).request)
        guard case .served(_, let served)? = fixture.base.gateway.lastRequest?.outcome else {
            Issue.record("not recorded as served")
            return
        }
        #expect(served.action == .broadcast && served.channelID == fixture.plain)
        #expect(served.broadcast == 1 && served.subscribers == 0)
        let record = try #require(fixture.base.gateway.lastRequest)
        #expect(RequestFindings.findings(for: record, on: nil).map(\.id) == ["bc.noSubscribers"])
        #expect(fixture.base.gateway.requestLog.counts.accepted == 1)
    }

    @Test("bc.size: a broadcast larger than a device accepts") func size() throws {
        let fixture = ChannelFixture()
        var request = fixture.request(.broadcast)
        request.body = [UInt8](repeating: 0x20, count: 4097)
        _ = fixture.base.connect(traffic: .clearText).answer(request.request)
        let record = try #require(fixture.base.gateway.lastRequest)
        #expect(RequestFindings.findings(for: record, on: nil).map(\.id).contains("bc.size"))
    }

    @Test("a fault rule matches a broadcast by its path") func faults() throws {
        let fixture = ChannelFixture()
        var rule = FaultRule()
        rule.name = "broadcasts"
        rule.match.headers = [":path": "/4/broadcasts/apps/com.example.app"]
        var answer = FaultAnswer()
        (answer.status, answer.reason) = (503, "ServiceUnavailable")
        rule.effect.answer = answer
        try fixture.base.gateway.faults.add([rule], at: .start)
        let connection = fixture.base.connect(traffic: .clearText)
        let refused = connection.answer(fixture.request(.broadcast).request)
        #expect(refused.status == 503 && refused.channel != nil)
        #expect(connection.answer(fixture.request(.read).request).status == 200)
        #expect(fixture.base.gateway.simulator.channelStatus(fixture.plain)?.channel.published == 0)
    }
}
