import APNs
import DeviceSimulator
import RequestWire
import Testing

@testable import Gateway

/// The effects of a rule that fires on a request: its answer, its delivery and its record.
@Suite struct FaultFiringTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// `:status` in the log; nil when nothing is answered.
        var status: UInt16?
        var isDelivered: Bool
        var edit: @Sendable (inout FaultEffect) -> Void

        init(
            _ name: String, _ status: UInt16?, _ isDelivered: Bool,
            _ edit: @escaping @Sendable (inout FaultEffect) -> Void
        ) {
            (testDescription, self.status, self.isDelivered, self.edit) = (name, status, isDelivered, edit)
        }
    }

    static let rows = [
        Row("a delay that is not over", nil, true) { $0.delay = .seconds(1) },
        Row("another success", 200, true) { $0.answer = FaultAnswer(200) { $0.omits = [.apnsID] } },
        Row("another status", 503, false) { $0.answer = FaultAnswer(503, "Shutdown") },
        Row("a lost request", nil, false) { $0.loses = .request },
        Row("a lost answer", nil, true) { $0.loses = .answer },
        Row("a lost request beside a status", nil, false) { ($0.loses, $0.answer) = (.request, FaultAnswer(200)) },
        Row("a lost answer beside a status", nil, true) { ($0.loses, $0.answer) = (.answer, FaultAnswer(503)) },
        Row("a reset beside a status", nil, false) { ($0.resets, $0.answer) = (.cancel, FaultAnswer(200)) },
        Row("a reset", nil, false) { $0.resets = .cancel },
        Row("a reset after acceptance", nil, true) { ($0.resets, $0.loses) = (.cancel, .answer) },
        Row("an end before", nil, false) { $0.connection = FaultConnectionEnd(.reset) },
        Row("an end after", 200, true) { $0.connection = FaultConnectionEnd(.reset, .after) },
        Row("a lost answer and an end", nil, true) {
            ($0.loses, $0.connection) = (.answer, FaultConnectionEnd(.reset, .after))
        },
        Row("a GOAWAY after", 200, true) { $0.goAway = FaultGoAway() },
        Row("a GOAWAY below", nil, false) { $0.goAway = FaultGoAway { $0.unprocessed = 1 } },
        Row("a GOAWAY with a stream of its own", nil, false) { $0.goAway = FaultGoAway { $0.lastStream = 0 } },
        Row("a stream limit", 200, true) { $0.streamLimit = 3 },
    ]

    @Test(arguments: rows) func recordsTheFault(_ row: Row) throws {
        let fixture = GatewayFixture()
        try fixture.gateway.faults.add([FaultRule("fault", effect: FaultEffect(row.edit))], at: .start)
        let answer = fixture.connect().answer(fixture.push())
        let record = try #require(fixture.gateway.lastRequest)
        #expect(record.fault?.rule == "fault")
        #expect(record.status == row.status)
        #expect(answer.fault?.isAnswered == (row.status != nil) || record.answer?.fate == .waiting)
        #expect((fixture.gateway.simulator.counters.counts.delivered == 1) == row.isDelivered)
        #expect(fixture.gateway.requestLog.counts.handledByFault == (row.isDelivered ? 0 : 1))
        #expect(fixture.gateway.requestLog.counts.accepted == (row.isDelivered ? 1 : 0))
    }

    @Test func aSuccessForARejectedPushDeliversNothing() throws {
        let fixture = GatewayFixture()
        try fixture.gateway.faults.add(
            [FaultRule("ok", effect: FaultEffect { $0.answer = FaultAnswer(200) })], at: .start)
        let answer = fixture.connect().answer(fixture.push { $0.body = [] })
        #expect(answer.status == 200)
        #expect(fixture.gateway.lastRequest?.status == 200)
        #expect(fixture.gateway.requestLog.counts.handledByFault == 1)
    }

    @Test func aDelayedRejectionKeepsItsReason() throws {
        let fixture = GatewayFixture()
        try fixture.gateway.faults.add([FaultRule("slow", effect: FaultEffect { $0.delay = .seconds(1) })], at: .start)
        let answer = fixture.connect().answer(fixture.push { $0.body = [] })
        #expect(answer.body == #"{"reason":"PayloadEmpty"}"#.bytes)
        #expect(answer.fault?.delay == .seconds(1))
        #expect(fixture.gateway.requestLog.counts.refused == [.payloadEmpty: 1])
    }

    @Test func withoutRulesNothingIsEvaluated() throws {
        let (fixture, connection) = GatewayFixture.connected()
        #expect(connection.answer(fixture.push()).fault == nil)
        #expect(fixture.gateway.lastRequest?.fault == nil)
        #expect(connection.openingFault() == nil)
        #expect(fixture.gateway.acceptFault() == nil)
    }

    @Test func earlierRejectionsAndPausesArePerConnection() throws {
        let fixture = GatewayFixture()
        try fixture.gateway.faults.add(
            [
                FaultRule(
                    "after", match: FaultMatch { $0.after = .payloadEmpty }, effect: FaultEffect { $0.resets = .cancel }
                ),
                FaultRule(
                    "idle", match: FaultMatch { $0.idle = .seconds(60) }, effect: FaultEffect { $0.resets = .cancel }),
            ], at: .start)
        let (first, second) = (fixture.connect(), fixture.connect())
        #expect(first.answer(fixture.push { $0.body = [] }).fault == nil)
        #expect(first.answer(fixture.push()).fault?.rule == "after")
        #expect(second.answer(fixture.push()).fault == nil)
        fixture.clock.advance(.seconds(60))
        #expect(second.answer(fixture.push()).fault?.rule == "idle")
        #expect(second.answer(fixture.push()).fault?.rule == "idle")
        #expect(fixture.connect().answer(fixture.push()).fault == nil)
    }

    @Test func aRecordSaysWhatBecameOfItsAnswer() throws {
        let fixture = GatewayFixture()
        try fixture.gateway.faults.add([FaultRule("slow", effect: FaultEffect { $0.delay = .seconds(1) })], at: .start)
        let connection = fixture.connect()
        for fate in DelayedAnswer.Fate.allCases {
            let answer = connection.answer(fixture.push())
            fixture.clock.advance(.seconds(1))
            connection.record(fate, for: answer.record)
            let record = try #require(fixture.gateway.lastRequest)
            #expect(record.answer?.fate == fate)
            #expect(record.answer?.at == fixture.clock.now)
            #expect(record.status == (fate == .sent ? 200 : nil))
        }
    }

    @Test func aScriptedExpiryAffectsOneTokenAndNotANewerOne() throws {
        let fixture = GatewayFixture()
        try fixture.gateway.faults.add(
            [
                FaultRule(
                    "expiry", match: FaultMatch { ($0.verdict, $0.nth) = (.accepted, 2) },
                    effect: FaultEffect { $0.expiresToken = true }, count: 1)
            ], at: .start)
        let (first, second) = (fixture.connect(), fixture.connect())
        let (old, new) = (fixture.jwt(), fixture.jwt())
        func verdicts(_ connection: ProviderConnection, _ jwt: String) -> String {
            connection.verdict(on: fixture.push(jwt: jwt), in: fixture)
        }
        #expect(verdicts(first, old) == "200")
        #expect(verdicts(first, old) == "ExpiredProviderToken token.expired-by-fault")
        #expect(verdicts(second, old) == "ExpiredProviderToken token.expired-by-fault")
        #expect(verdicts(second, new) == "200")
        #expect(verdicts(first, new) == "200")
        #expect(verdicts(first, fixture.jwt()) == "TooManyProviderTokenUpdates token.updates")
        fixture.gateway.faults.remove { _ in true }
        #expect(verdicts(fixture.connect(), old) == "200")
    }

    @Test func anExpiryOfEveryRequestLeavesNewerTokensValid() throws {
        let fixture = GatewayFixture()
        try fixture.gateway.faults.add(
            [FaultRule("expiry", effect: FaultEffect { $0.expiresToken = true })], at: .start)
        let connection = fixture.connect()
        let (old, new) = (fixture.jwt(), fixture.jwt())
        for jwt in [old, old] {
            #expect(
                connection.verdict(on: fixture.push(jwt: jwt), in: fixture)
                    == "ExpiredProviderToken token.expired-by-fault")
        }
        #expect(connection.verdict(on: fixture.push(jwt: new), in: fixture) == "200")
        #expect(connection.verdict(on: fixture.push(jwt: new), in: fixture) == "200")
    }

    @Test func anExpiryPrecedesLaterChecks() throws {
        let fixture = GatewayFixture()
        try fixture.gateway.faults.add(
            [FaultRule("expiry", effect: FaultEffect { $0.expiresToken = true })], at: .start)
        let request = fixture.push { $0["apns-priority"] = "11" }
        #expect(
            fixture.connect().verdict(on: request, in: fixture) == "ExpiredProviderToken token.expired-by-fault")
    }

    @Test func aForgedTokenDoesNotTriggerTheExpiry() throws {
        let fixture = GatewayFixture()
        try fixture.gateway.faults.add(
            [FaultRule("expiry", effect: FaultEffect { $0.expiresToken = true }, count: 1)], at: .start)
        var forged = fixture.jwt(age: 7200)
        forged.replaceSubrange(forged.index(forged.endIndex, offsetBy: -4)..., with: "AAAA")
        let connection = fixture.connect()
        #expect(
            connection.verdict(on: fixture.push(jwt: forged), in: fixture) == "InvalidProviderToken token.signature")
        // If it had expired, any token of its key would count as new.
        #expect(connection.verdict(on: fixture.push(jwt: fixture.jwt(age: 7000)), in: fixture).contains("Expired"))
    }

    @Test(arguments: ["G7", "G12"]) func aTokenFromBeforeAJumpOfTheClockIsReplaced(_ scenario: String) throws {
        let fixture = GatewayFixture()
        try fixture.gateway.faults.add(try #require(FaultScenario.named(scenario)).rules, at: .start)
        let connection = fixture.connect()
        let (old, new) = (fixture.jwt(), fixture.jwt(age: -1))
        #expect(connection.answer(fixture.push(jwt: old)).status == 200)
        fixture.clock.advance(.seconds(3660))
        #expect(connection.answer(fixture.push(jwt: old)).status == (scenario == "G7" ? 500 : 403))
        #expect(connection.answer(fixture.push(jwt: old)).status == (scenario == "G7" ? 500 : 403))
        // Signed by a provider whose clock did not jump.
        #expect(fixture.connect().answer(fixture.push(jwt: new)).status == 200)
        #expect(fixture.connect().answer(fixture.push(jwt: old)).status == 403)
    }

    static let bodies: [(answer: FaultAnswer, body: String)] = [
        (FaultAnswer(400), ""), (FaultAnswer(400, "BadTopic"), #"{"reason":"BadTopic"}"#),
        (FaultAnswer(400, "a\"\\\n"), #"{"reason":"a\"\\ "}"#),
        (FaultAnswer(410, "Unregistered"), #"{"reason":"Unregistered","timestamp":1767571200000}"#),
        (FaultAnswer(410), #"{"timestamp":1767571200000}"#), (FaultAnswer(410) { $0.omits = [.timestamp] }, ""),
        (FaultAnswer(410, "Unregistered") { $0.timestamp = 1 }, #"{"reason":"Unregistered","timestamp":1}"#),
        (FaultAnswer(410, "Unregistered") { $0.omits = [.timestamp] }, #"{"reason":"Unregistered"}"#),
        (FaultAnswer(400, "BadTopic") { $0.timestamp = 1 }, #"{"reason":"BadTopic","timestamp":1}"#),
        (FaultAnswer(400, "BadTopic") { $0.omits = [.body] }, ""),
        (FaultAnswer(400, "BadTopic") { $0.body = "<html>" }, "<html>"),
    ]

    @Test(arguments: bodies.indices) func bodiesAreAsConfigured(_ index: Int) {
        let row = Self.bodies[index]
        #expect(String(decoding: row.answer.bytes(now: .start), as: UTF8.self) == row.body)
    }
}
