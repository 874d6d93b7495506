import APNs
import DeviceSimulator
import Gateway
import RequestWire
import Testing

/// A push repeats the header block of an accepted push; whatever may have changed since is checked again.
@Suite struct RepetitionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var verdict: String
        var settings: @Sendable (inout GatewaySettings) -> Void = { _ in }
        /// Runs between the pushes and may change the body.
        var change: @Sendable (GatewayFixture, ProviderConnection, inout RequestFixture) -> Void
    }

    static let rows = [
        Row(testDescription: "nothing", verdict: "200") { _, _, _ in },
        Row(testDescription: "another payload", verdict: "200") { _, _, push in push.body = "{}".bytes },
        Row(testDescription: "no payload", verdict: "PayloadEmpty payload.empty") { _, _, push in push.body = [] },
        Row(testDescription: "a payload that is too large", verdict: "PayloadTooLarge payload.size") { _, _, push in
            push.body = [UInt8](repeating: 0x20, count: 4097)
        },
        Row(
            testDescription: "no JSON where that is refused", verdict: "MalformedPayload payload.malformed",
            settings: { $0.refusesMalformedPayload = true }
        ) { _, _, push in push.body = "{".bytes },
        Row(testDescription: "an hour", verdict: "ExpiredProviderToken token.expired") { fixture, _, _ in
            fixture.clock.advance(.seconds(3601))
        },
        Row(testDescription: "the app is gone", verdict: "Unregistered device-token.unregistered") { fixture, _, _ in
            _ = fixture.gateway.simulator.setStatus(.unregistered, of: fixture.token, at: fixture.clock.now)
        },
        Row(testDescription: "the device is gone", verdict: "200") { fixture, _, _ in
            _ = fixture.gateway.simulator.deleteDevice(named: "phone")
        },
        Row(
            testDescription: "the device is gone, and unknown tokens are refused",
            verdict: "BadDeviceToken device-token.unknown", settings: { $0.unknownTokens = .reject }
        ) { fixture, _, _ in _ = fixture.gateway.simulator.deleteDevice(named: "phone") },
        Row(testDescription: "another token was used, and this one again is an update", verdict: updated) {
            fixture, connection, _ in
            fixture.clock.advance(.seconds(1200))
            _ = connection.answer(fixture.push(jwt: fixture.jwt()))
        },
        Row(
            testDescription: "another connection used another token, where updates are counted by key",
            verdict: updated, settings: { $0.tokenPolicy.updateScope = .key }
        ) { fixture, _, _ in
            fixture.clock.advance(.seconds(1200))
            _ = fixture.connect().answer(fixture.push(jwt: fixture.jwt()))
        },
        Row(testDescription: "other settings", verdict: "MalformedPayload payload.malformed") { fixture, _, push in
            fixture.gateway.settings.refusesMalformedPayload = true
            push.body = "{".bytes
        },
        Row(testDescription: "a rule that takes requests", verdict: "taken by thief") { fixture, _, _ in
            try? fixture.gateway.faults.add(
                [FaultRule("thief", effect: FaultEffect { $0.loses = .request })], at: .start)
        },
    ]

    private static let updated = "TooManyProviderTokenUpdates token.updates"

    @Test(arguments: rows) func checksWhatMayHaveChanged(_ row: Row) {
        let fixture = GatewayFixture(edit: row.settings)
        let connection = fixture.connect()
        var push = RequestFixture(path: "/3/device/" + fixture.token.hex, jwt: fixture.lastToken)
        for _ in 0..<3 { #expect(connection.verdict(on: push.request, in: fixture) == "200") }
        row.change(fixture, connection, &push)
        #expect(connection.verdict(on: push.request, in: fixture) == row.verdict)
    }

    @Test func everyPushIsRecordedWithItsOwnValues() throws {
        let (fixture, connection) = GatewayFixture.connected()
        var push = RequestFixture(path: "/3/device/" + fixture.token.hex, jwt: fixture.lastToken)
        push["apns-id"] = "123E4567-e89b-12d3-a456-42665544000a"
        push["apns-collapse-id"] = "score"
        push["apns-priority"] = "5"
        var uniqueIDs: Set<APNsID> = []
        for number in 0..<4 {
            push.body = #"{"aps":{"badge":\#(number)}}"#.bytes
            fixture.clock.advance(.seconds(1))
            let request = push.request
            let answer = connection.answer(request)
            let echo = try #require(answer.echo)
            #expect(String(decoding: request.bytes[echo.bounds], as: UTF8.self) == push["apns-id"])
            uniqueIDs.insert(try #require(answer.uniqueID))
            guard
                case .accepted(let recorded, let registration, let notification) = fixture.gateway.lastRequest?.outcome
            else { return #expect(Bool(false), "push \(number) was not accepted") }
            #expect(recorded.payload == push.body)
            #expect(recorded.receivedAt == fixture.clock.now)
            #expect(recorded.collapseID == "score")
            #expect(recorded.priority == .powerConserving)
            #expect(recorded.apnsIDText == push["apns-id"])
            #expect(registration.token == fixture.token)
            #expect(
                recorded.request.fields(token: fixture.token).contains { $0 == ("apns-topic", GatewayFixture.topic) })
            #expect(fixture.gateway.simulator.notification(notification)?.push === recorded)
        }
        #expect(uniqueIDs.count == 4)
    }

    @Test func aBodyOfUnknownLengthUsesNoExcessMemory() throws {
        let (fixture, connection) = GatewayFixture.connected()
        let push = RequestFixture(path: "/3/device/" + fixture.token.hex, jwt: fixture.lastToken)
        for _ in 0..<2 {
            _ = connection.answer(push.request)
            guard case .accepted(let recorded, _, _) = fixture.gateway.lastRequest?.outcome else {
                return #expect(Bool(false), "not accepted")
            }
            #expect(recorded.payload == push.body)
            #expect(recorded.payload.capacity < 1000)
        }
    }
}
