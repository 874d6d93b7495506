import APNs
import DeviceSimulator
import Gateway
import RequestWire
import TLSEngine
import Testing
import Time

/// Headers and body of an answer.
@Suite struct AnswerTests {
    @Test(
        arguments: [
            "123e4567-e89b-12d3-a456-42661417400f", "123E4567-E89B-12D3-A456-42661417400F",
            "123e4567-E89B-12d3-A456-42661417400f",
        ], [true, false]) func theClientsIdentifierIsEchoedByteForByte(_ id: String, _ passes: Bool) throws
    {
        let fixture = GatewayFixture()
        let request = fixture.push {
            $0["apns-id"] = id
            if !passes { $0["authorization"] = nil }
        }
        let answer = fixture.connect().answer(request)
        #expect(answer.status == (passes ? 200 : 403))
        let echo = try #require(answer.echo)
        #expect(String(decoding: request.bytes[echo.bounds], as: UTF8.self) == id)
        #expect(answer.apnsID.text(.lower) == id.lowercased())
    }

    @Test(arguments: [nil, "no-uuid"]) func theGatewayGeneratesMissingIdentifiers(_ id: String?) {
        let (fixture, connection) = GatewayFixture.connected()
        let answers = (1...3).map { _ in connection.answer(fixture.push { $0["apns-id"] = id }) }
        #expect(answers.allSatisfy { $0.echo == nil })
        #expect(Set(answers.map(\.apnsID)).count == 3)
    }

    @Test func theSameSeedGivesTheSameIdentifiers() {
        let answers = (1...2).map { _ in
            let fixture = GatewayFixture()
            return fixture.connect().answer(fixture.push())
        }
        #expect(answers[0].apnsID == answers[1].apnsID)
        #expect(answers[0].uniqueID == answers[1].uniqueID)
    }

    @Test func connectionsGenerateDifferentIdentifiers() {
        let fixture = GatewayFixture()
        let first = fixture.connect().answer(fixture.push())
        let second = fixture.connect().answer(fixture.push())
        #expect(first.apnsID != second.apnsID)
        #expect(first.uniqueID != second.uniqueID)
    }

    @Test(arguments: APNsEnvironment.allCases) func onlyTheSandboxReturnsAUniqueIdentifier(
        _ environment: APNsEnvironment
    )
        throws
    {
        let fixture = GatewayFixture { $0.defaultEnvironment = environment }
        let answer = fixture.connect().answer(fixture.push { $0[":path"] = "/3/device/99" })
        #expect(answer.status == 200)
        #expect((answer.uniqueID != nil) == (environment == .sandbox))
        let push = try #require(fixture.gateway.simulator.notifications().items.last).push
        #expect(answer.uniqueID == nil || answer.uniqueID == push.uniqueID)
        #expect(push.apnsID == answer.apnsID)
    }

    @Test func successHasNoBody() {
        let fixture = GatewayFixture()
        #expect(fixture.connect().answer(fixture.push()).body.isEmpty)
    }

    @Test func anUnregisteredTokenHasItsTimestampInMilliseconds() {
        let fixture = GatewayFixture()
        fixture.gateway.simulator.setStatus(
            .unregistered, of: fixture.token, at: Instant(milliseconds: 1_767_571_200_123))
        let answer = fixture.connect().answer(fixture.push())
        #expect(answer.status == 410)
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"reason":"Unregistered","timestamp":1767571200123}"#)
    }

    @Test func theSpellingOfAReasonIsConfigurable() {
        let fixture = GatewayFixture { $0.spelling = .documented }
        fixture.gateway.keys.register(
            ProviderKey(keyID: GatewayFixture.keyID, teamID: GatewayFixture.teamID, environments: [.production]),
            publicKey: fixture.privateKey.publicKey)
        let answer = fixture.connect().answer(fixture.push())
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"reason":"BadEnvironmentKeyIdInToken"}"#)
    }

    @Test func oneStreamUntilAPushIsAccepted() {
        let (fixture, connection) = GatewayFixture.connected()
        #expect(connection.initialStreamLimit == 1)
        #expect(connection.answer(fixture.push { $0["authorization"] = nil }).streamLimit == nil)
        #expect(connection.answer(fixture.push()).streamLimit == 1000)
        #expect(connection.answer(fixture.push()).streamLimit == nil)
        #expect(connection.answer(fixture.push { $0["apns-topic"] = nil }).streamLimit == nil)
    }

    @Test func oneStreamAfterARejectionByChoice() {
        let fixture = GatewayFixture { $0.oneStreamAfterRejection = true }
        let connection = fixture.connect()
        #expect(connection.answer(fixture.push()).streamLimit == 1000)
        #expect(connection.answer(fixture.push { $0["apns-topic"] = nil }).streamLimit == 1)
        #expect(connection.answer(fixture.push { $0["apns-topic"] = nil }).streamLimit == nil)
        #expect(connection.answer(fixture.push()).streamLimit == 1000)
    }

    @Test func streamLimitsFollowTheSettings() {
        let open = GatewayFixture { $0.oneStreamUntilAccepted = false }
        #expect(open.connect().initialStreamLimit == 1000)
        let certificate = AdmissionTests.certificate([.sandbox])
        let fixture = GatewayFixture()
        #expect(fixture.connect(certificate: certificate).initialStreamLimit == 1000)
        let connection = fixture.connect()
        _ = connection.answer(fixture.push())
        fixture.gateway.settings.streamLimit = 500
        #expect(connection.answer(fixture.push()).streamLimit == 500)
    }

    @Test(arguments: [
        (nil, "localhost:2197", nil, APNsEnvironment.sandbox),
        (nil, "api.push.apple.com", nil, .production),
        (nil, "API.Push.Apple.com:443", nil, .production),
        (nil, "api.push.apple.com.", nil, .production),
        (nil, "api.sandbox.push.apple.com:2197", nil, .sandbox),
        (nil, "api.development.push.apple.com", "api.push.apple.com", .sandbox),
        (nil, "localhost", "api.push.apple.com", .production),
        ("api.push.apple.com:443", "api.sandbox.push.apple.com", "api.sandbox.push.apple.com", .production),
        ("api.sandbox.push.apple.com:443", "api.push.apple.com", nil, .sandbox),
        ("proxy.example:443", "api.push.apple.com", nil, .production),
        (nil, "[::1]:2197", nil, .sandbox),
    ]) func theEnvironmentIsFoundInOrder(
        _ target: String?, _ authority: String, _ serverName: String?, _ environment: APNsEnvironment
    ) {
        let fixture = GatewayFixture()
        let connection = fixture.connect(connectTarget: target, serverName: serverName)
        for header in [":authority", "host", ":authority"] {
            let request = fixture.push {
                $0[":authority"] = nil
                $0[header] = authority
            }
            _ = connection.answer(request)
            #expect(fixture.gateway.lastRequest?.environment == environment)
        }
    }

    @Test func theDefaultEnvironmentIsConfigurable() {
        let fixture = GatewayFixture { $0.defaultEnvironment = .production }
        let connection = fixture.connect()
        _ = connection.answer(fixture.push { $0[":authority"] = nil })
        #expect(fixture.gateway.lastRequest?.environment == .production)
        fixture.gateway.settings.defaultEnvironment = .sandbox
        _ = connection.answer(fixture.push { $0[":authority"] = nil })
        #expect(fixture.gateway.lastRequest?.environment == .sandbox)
    }
}
