import APNs
import DeviceModel
import DeviceSimulator
import RequestWire
import TestSupport
import Testing

@testable import Gateway

/// Violations that the hygiene report finds, and near misses.
@Suite struct HygieneTests {
    /// A gateway and a provider's requests.
    final class Scene {
        let fixture = GatewayFixture(requestCapacity: 1000)
        lazy var connection = fixture.connect()

        func wait(_ duration: Duration) { fixture.clock.advance(duration) }

        @discardableResult
        func push(
            on other: ProviderConnection? = nil, jwt: String? = nil, _ fields: [String: String] = [:],
            _ text: String = "Hello"
        )
            -> UInt16
        {
            let request = fixture.push(jwt: jwt) { request in
                for (name, value) in fields { request[name] = value }
                request.body = #"{"aps":{"alert":"\#(text)"}}"#.bytes
            }
            return (other ?? connection).answer(request).status
        }

        func connect(_ version: HTTPVersion = .http2, from address: String = "10.0.0.1:4000", serverName: String? = nil)
            -> ProviderConnection
        {
            var facts = ConnectionFacts(openedAt: fixture.clock.now)
            (facts.httpVersion, facts.remoteAddress) = (version, address)
            return fixture.gateway.connect(facts, certificate: nil)
        }

        func pushOnce(by client: String = "hasty/1") {
            let connection = connect()
            push(on: connection, ["user-agent": client])
            connection.ended(.client, limit: nil)
            connection.closed()
        }

        func findings(of id: String) -> [HygieneFinding] {
            fixture.gateway.hygiene().findings.filter { $0.finding.id == "hygiene." + id }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var id: String
        /// How often it is found; 0 for a near miss.
        var count: Int
        var acts: @Sendable (Scene) -> Void

        init(_ id: String, _ count: Int, _ acts: @escaping @Sendable (Scene) -> Void) {
            (self.id, self.count, self.acts) = (id, count, acts)
        }

        var testDescription: String { "\(id) \(count)" }
    }

    static let rows = connections + tokens + answers + pushes

    static let connections = [
        Row("connection.perPush", 5) { scene in for _ in 1...5 { scene.wait(.seconds(15)); scene.pushOnce() } },
        Row("connection.perPush", 0) { scene in for _ in 1...4 { scene.pushOnce() } },
        Row("connection.perPush", 0) { scene in for _ in 1...9 { scene.wait(.milliseconds(15_001)); scene.pushOnce() }
        },
        Row("connection.perPush", 0) { scene in for _ in 1...9 { scene.push(on: scene.connect()) } },
        Row("connection.perPush", 0) { scene in for number in 1...5 { scene.pushOnce(by: "program/\(number)") } },
        Row("connection.http1", 1) { scene in _ = scene.connect(.http1) },
        Row("connection.http1", 0) { scene in _ = scene.connect(.http2) },
        Row("connection.noPing", 1) { scene in
            scene.push(); scene.wait(.milliseconds(3_600_001))
        },
        Row("connection.noPing", 0) { scene in
            scene.push(); scene.wait(.seconds(3600))
        },
        Row("connection.noPing", 0) { scene in
            scene.push()
            scene.connection.receivedPing()
            scene.wait(.seconds(7200))
        },
        Row("connection.goAwayIgnored", 1) { scene in
            scene.connection.sent(goAway: 0, lastStream: 1, debugData: [])
            scene.wait(.milliseconds(1001))
            for _ in 1...3 { scene.connection.refusedAfterGoAway() }
        },
        Row("connection.goAwayIgnored", 0) { scene in
            scene.connection.sent(goAway: 0, lastStream: 1, debugData: [])
            scene.wait(.seconds(1))
            for _ in 1...3 { scene.connection.refusedAfterGoAway() }
        },
        Row("connection.goAwayIgnored", 0) { scene in scene.connection.refusedStreams(3) },
        Row("connection.violation", 1) { scene in
            scene.connection.sent(goAway: 1, lastStream: 1, debugData: [], isViolation: true)
        },
        Row("connection.violation", 1) { scene in scene.connection.ended(.gateway, limit: "PingFlood") },
        Row("connection.violation", 0) { scene in scene.connection.ended(.gateway, limit: "IdleTimeout") },
        Row("connection.violation", 0) { scene in scene.connection.sent(goAway: 1, lastStream: 1, debugData: []) },
    ]

    static let tokens = [
        Row("token.tooNew", 1) { scene in
            scene.push()
            scene.wait(.seconds(1199))
            scene.push(jwt: scene.fixture.jwt())
        },
        Row("token.tooNew", 0) { scene in
            scene.push()
            scene.wait(.seconds(1200))
            scene.push(jwt: scene.fixture.jwt())
        },
        Row("token.notShared", 1) { scene in
            scene.push()
            scene.wait(.seconds(1199))
            scene.push(on: scene.connect(), jwt: scene.fixture.jwt())
        },
        Row("token.notShared", 0) { scene in
            scene.push()
            scene.wait(.seconds(1199))
            scene.push(on: scene.connect())
        },
        Row("token.notShared", 0) { scene in
            scene.push()
            scene.wait(.seconds(1200))
            scene.push(on: scene.connect(), jwt: scene.fixture.jwt())
        },
        Row("token.tooOld", 1) { scene in scene.push(jwt: scene.fixture.jwt(age: 3601)) },
        Row("token.tooOld", 0) { scene in scene.push(jwt: scene.fixture.jwt(age: 3599)) },
        Row("key.many", 3) { scene in
            for number in 1...3 {
                scene.push(on: scene.connect(), jwt: scene.fixture.jwt(keyID: "KEY000000\(number)"))
            }
        },
        Row("key.many", 0) { scene in
            for number in 1...2 {
                scene.push(on: scene.connect(), jwt: scene.fixture.jwt(keyID: "KEY000000\(number)"))
            }
        },
        Row("key.many", 0) { scene in
            for number in 1...3 {
                let team = "TEAM00000\(number)"
                scene.push(on: scene.connect(), jwt: scene.fixture.jwt(keyID: "KEY000000\(number)", teamID: team))
            }
        },
    ]

    static let answers = [
        Row("retry.rejected", 2) { scene in for _ in 1...3 { scene.push(["apns-priority": "11"]) } },
        Row("retry.rejected", 0) { scene in
            scene.push(["apns-priority": "11"])
            scene.push(["apns-priority": "11"], "Corrected")
            scene.push(["apns-priority": "10"])
        },
        Row("retry.rejected", 1) { scene in
            scene.push([":path": "/3/device/xyz"])
            scene.push([":path": "/3/device/xyz"], "Other")
        },
        Row("retry.rejected", 1) { scene in for _ in 1...2 { scene.push([":path": "/3/nothing"]) } },
        Row("retry.rejected", 0) { scene in
            for name in ["a", "b"] { scene.push(["apns-priority": "11", "apns-collapse-id": name]) }
        },
        Row("retry.rejected", 0) { scene in for name in ["a", "b"] { scene.push([":path": "/3/\(name)"]) } },
        Row("retry.rejected", 0) { scene in for _ in 1...2 { scene.push(jwt: "none") } },
        Row("device.unregistered", 1) { scene in
            scene.fixture.gateway.simulator.setStatus(.unregistered, of: scene.fixture.token, at: .start)
            scene.push()
            scene.wait(.milliseconds(1001))
            scene.push()
        },
        Row("device.unregistered", 0) { scene in
            scene.fixture.gateway.simulator.setStatus(.unregistered, of: scene.fixture.token, at: .start)
            scene.push()
            scene.wait(.seconds(1))
            scene.push()
        },
        Row("device.unregistered", 0) { scene in
            scene.fixture.gateway.simulator.setStatus(.unregistered, of: scene.fixture.token, at: .start)
            scene.push()
            scene.wait(.seconds(9))
            scene.fixture.gateway.simulator.setStatus(.active, of: scene.fixture.token, at: scene.fixture.clock.now)
            scene.push()
        },
        Row("device.environment", 1) { scene in scene.push([":authority": "api.push.apple.com"]) },
        Row("device.environment", 0) { scene in scene.push([":authority": "api.sandbox.push.apple.com"]) },
    ]

    static let pushes = [
        Row("priority.background", 1) { scene in scene.push(["apns-push-type": "background"]) },
        Row("priority.background", 0) { scene in scene.push(["apns-push-type": "background", "apns-priority": "5"]) },
        Row("priority.background", 0) { scene in scene.push(["apns-priority": "10"]) },
        Row("priority.background", 1) { scene in
            scene.push(jwt: "none", ["apns-push-type": "background", "apns-priority": "10"])
        },
        Row("text.duplicate", 1) { scene in for _ in 1...2 { scene.push() } },
        Row("text.duplicate", 0) { scene in for number in 1...2 { scene.push([:], "Order \(number)") } },
        Row("text.duplicate", 0) { scene in for _ in 1...2 { scene.push(["apns-collapse-id": "order"]) } },
        Row("text.duplicate", 0) { scene in
            scene.push()
            scene.wait(.milliseconds(86_400_001))
            scene.push(jwt: scene.fixture.jwt())
        },
        Row("expiration.never", 10) { scene in for _ in 1...10 { scene.push() } },
        Row("expiration.never", 0) { scene in for _ in 1...9 { scene.push() } },
        Row("expiration.never", 0) { scene in
            for _ in 1...10 { scene.push() }
            scene.push(["apns-expiration": "0"])
        },
    ]

    @Test(arguments: rows) func finds(_ row: Row) {
        let scene = Scene()
        row.acts(scene)
        #expect(scene.findings(of: row.id).reduce(0) { $0 + $1.count } == row.count)
    }

    @Test func everyRuleHasAViolatingAndAPassingRow() {
        for rule in HygieneRule.all {
            let rows = Self.rows.filter { "hygiene." + $0.id == rule.rule.id }
            #expect(rows.contains { $0.count > 0 } && rows.contains { $0.count == 0 }, "\(rule.rule.id)")
        }
        #expect(Set(HygieneRule.all.map(\.rule.id)).count == HygieneRule.all.count)
    }

    @Test func aFindingNamesTheClientAndExamples() throws {
        let scene = Scene()
        let (one, other) = (scene.connect(), scene.connect(from: "[::1]:5000"))
        for _ in 1...7 { scene.push(on: one, ["apns-push-type": "background", "user-agent": "library/1"]) }
        scene.push(on: other, ["apns-push-type": "background"])
        let findings = scene.findings(of: "priority.background")
        #expect(findings.map(\.count) == [7, 1])
        let first = try #require(findings.first)
        #expect(first.who.remoteAddress == "10.0.0.1" && first.who.userAgent == "library/1")
        #expect(first.who.topic == GatewayFixture.topic && first.who.token == scene.fixture.token.hex)
        #expect(first.requests == [1, 2, 3, 4, 5] && first.connections == [one.number])
        #expect(findings.last?.who.remoteAddress == "[::1]" && findings.last?.who.userAgent == nil)
    }

    @Test func saysWhatIsMissing() {
        let fixture = GatewayFixture(requestCapacity: 3)
        let (one, other) = (fixture.connect(), fixture.connect())
        for _ in 1...5 { _ = one.answer(fixture.push()) }
        #expect(fixture.gateway.hygiene().requests == HygieneCoverage(examined: 3, missing: 2))
        #expect(fixture.gateway.hygiene(since: 4).requests == HygieneCoverage(examined: 1, missing: 0))
        #expect(fixture.gateway.hygiene(since: 9).requests == HygieneCoverage(examined: 0, missing: 0))
        #expect(fixture.gateway.hygiene().connections == HygieneCoverage(examined: 2, missing: 0))
        #expect(fixture.gateway.hygiene(since: 4).connections.examined == 1)
        #expect(fixture.gateway.hygiene(connection: other.number).findings.isEmpty)
        fixture.gateway.requestLog.removeAll()
        #expect(fixture.gateway.hygiene().requests == HygieneCoverage(examined: 0, missing: 5))
        for _ in 1...201 { fixture.connect().closed() }
        #expect(fixture.gateway.hygiene().connections == HygieneCoverage(examined: 202, missing: 1))
    }

    @Test func directPushesHaveNoProvider() throws {
        let fixture = GatewayFixture()
        let push = DirectPush(
            #"{"aps":{"content-available":1}}"#.bytes, to: "phone", topic: GatewayFixture.topic, environment: .sandbox,
            headers: [("apns-push-type", "background")])
        for _ in 1...12 { _ = try fixture.gateway.push(push) }
        #expect(fixture.gateway.hygiene().findings.isEmpty)
    }

    @Test func lintOfAcceptedPushesIsCountedByRuleAndClient() throws {
        let scene = Scene()
        scene.push()
        scene.push(["apns-priority": "11"])
        scene.push()
        let found = scene.fixture.gateway.hygiene { push, _ in
            [Finding("sound.type", .warning, at: "aps.sound", "of priority \(push.priority.rawValue)")]
        }.findings.filter { !$0.finding.id.hasPrefix("hygiene.") }
        let finding = try #require(found.first)
        #expect(found.count == 1 && finding.count == 2 && finding.requests == [1, 3] && finding.cost == nil)
        #expect(finding.finding.message == "of priority 10" && finding.who.topic == GatewayFixture.topic)
    }
}
