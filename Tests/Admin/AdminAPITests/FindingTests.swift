import APNs
import DeviceModel
import Gateway
import Lint
import RequestWire
import Testing
import Time

/// Findings about requests.
@Suite struct FindingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var finding: String?
        var pushType: PushType? = .alert
        var priority = Priority.immediate
        var expiration = Expiration.unspecified
        var payload = #"{"aps":{"alert":"Hi"}}"#
        var fields: [(name: String, value: String)] = []
        var connection: UInt32 = 1

        init(_ name: String, _ finding: String?, _ edit: (inout Row) -> Void) {
            self.name = name
            self.finding = finding
            edit(&self)
        }

        var testDescription: String { name }
    }

    static let rows = [
        Row("an alert", nil) { _ in },
        Row("no push type", "push-type.missing") { $0.pushType = nil },
        Row("no push type by hand", nil) { ($0.pushType, $0.connection) = (nil, 0) },
        Row("a background push", nil) {
            ($0.pushType, $0.priority) = (.background, .powerConserving)
            $0.payload = #"{"aps":{"content-available":1}}"#
        },
        Row("background at once", "priority.background") {
            ($0.pushType, $0.payload) = (.background, #"{"aps":{"content-available":1}}"#)
        },
        Row("background with a badge", "push-type.background-alert") {
            ($0.pushType, $0.priority) = (.background, .powerConserving)
            $0.payload = #"{"aps":{"content-available":1,"badge":1}}"#
        },
        Row("background with another key", "push-type.background-keys") {
            ($0.pushType, $0.priority) = (.background, .powerConserving)
            $0.payload = #"{"aps":{"content-available":1,"thread-id":"a"}}"#
        },
        Row("background without content-available", "push-type.background-content") {
            ($0.pushType, $0.priority, $0.payload) = (.background, .powerConserving, #"{"aps":{}}"#)
        },
        Row("an alert that shows nothing", "push-type.alert-background") {
            $0.payload = #"{"aps":{"content-available":1}}"#
        },
        Row("expired on arrival", "expiration.past") { $0.expiration = .at(Instant(milliseconds: 1)) },
        Row("expires now", nil) { $0.expiration = .at(testTime) },
        Row("a call that is stored", "voip.exp") { $0.pushType = .voip },
        Row("a call stored for a minute", "voip.exp") {
            ($0.pushType, $0.expiration) = (.voip, .at(testTime.advanced(by: .seconds(60))))
        },
        Row("a call of ten seconds", nil) {
            ($0.pushType, $0.expiration) = (.voip, .at(testTime.advanced(by: .seconds(10))))
        },
        Row("a call for now", nil) { ($0.pushType, $0.expiration) = (.voip, .immediate) },
        Row("compressed", "content-encoding") { $0.fields = [("content-encoding", "gzip")] },
    ]

    @Test(arguments: rows) func headersAreComparedWithTheContent(_ row: Row) {
        let request = RequestBlock(fields: row.fields, body: Array(row.payload.utf8))
        let id = APNsID(high: 1, low: 2)
        let push = Push.make(
            request, token: nil,
            PushFacts(
                apnsID: id, uniqueID: id, environment: .sandbox, pushType: row.pushType, priority: row.priority,
                expiration: row.expiration, receivedAt: testTime, connection: row.connection))
        let content = DecodedPayload(push.payload.span.bytes).content
        #expect(RequestFindings.findings(for: push, content).map(\.id) == (row.finding.map { [$0] } ?? []))
    }

    @Test func everyRuleOfLintAboutHeadersHasARow() {
        #expect(Set(LintRule.headers.map(\.id)).isSubset(of: Self.rows.compactMap(\.finding)))
    }

    @Test func aConnectionThatAPNsWouldRejectHasAFinding() {
        var facts = ConnectionFacts(openedAt: testTime)
        (facts.traffic, facts.httpVersion) = (.clearText, .http1)
        #expect(RequestFindings.findings(for: facts).map(\.id) == ["connection.http1", "connection.clear-text"])
    }

    @Test(
        "without the connection's record, the request says how it arrived",
        arguments: [
            ([":scheme": "http", "host": "h"], ["connection.http1", "connection.clear-text"]),
            ([":scheme": "http", ":authority": "h"], ["connection.clear-text"]),
            ([":scheme": "https", ":authority": "h"], []), ([":scheme": "https", "host": "h"], []),
        ])
    func theRequestSaysHowItArrived(_ fields: [String: String], _ expected: [String]) {
        let request = RequestBlock(fields: fields.map { (name: $0.key, value: $0.value) }, body: [])
        let packed = PackedRequest(packing: request, token: nil)
        #expect(RequestFindings.arrivalFindings(for: packed, on: nil).map(\.id) == expected)
        let unused = ConnectionFacts(openedAt: testTime)
        #expect(RequestFindings.arrivalFindings(for: packed, on: unused).isEmpty, "the record decides")
    }

    @Test(arguments: [
        ("apns-colapse-id", "did you mean `apns-collapse-id`?"), ("apns_priority", "did you mean `apns-priority`?"),
        ("x-apns-priority", "did you mean `apns-priority`?"), ("apns-expiry", "did you mean `apns-expiration`?"),
        ("apns-pushtype", "did you mean `apns-push-type`?"), ("apn-priority", "did you mean `apns-priority`?"),
        ("apns-mutable-content", "`mutable-content` is a key of `aps`"), ("apns-color", "none of its own"),
        ("authorisation", "did you mean `authorization`?"), ("priority", nil), ("app-id", nil), ("x-trace-id", nil),
        ("apns-request-id", nil), ("te", nil),
    ]) func aHeaderThatAPNsIgnoresIsNamed(_ name: String, _ words: String?) {
        let request = RequestBlock(fields: [(":scheme", "https"), (name, "1"), ("apns-priority", "5")], body: [])
        let found = RequestFindings.arrivalFindings(for: PackedRequest(packing: request, token: nil), on: nil)
        #expect(found.map(\.id) == (words == nil ? [] : ["headers.unknown"]))
        if let words { #expect(found[0].message.contains("`\(name)`") && found[0].message.contains(words), "\(found)") }
    }

    @Test func aTokenOfAnUnknownKeyIsFlagged() throws {
        let gateway = makeGateway()
        _ = try? gateway.push(DirectPush([], to: "a", topic: "a", environment: .sandbox))
        var record = try #require(gateway.requestLog.record(1))
        record.authentication = .unknownKey
        #expect(RequestFindings.findings(for: record, on: nil).map(\.id) == ["token.unknown-key"])
        record.authentication = .verifiedToken
        #expect(RequestFindings.findings(for: record, on: nil).isEmpty)
    }
}
