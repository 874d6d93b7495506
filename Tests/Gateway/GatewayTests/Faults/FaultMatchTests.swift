import APNs
import Fields
import JSON
import Queries
import Testing

@testable import Gateway

/// Which requests a rule matches, and when it fires.
@Suite struct FaultMatchTests {
    static let facts: FaultFacts = {
        var facts = FaultFacts()
        (facts.connection, facts.token, facts.device) = (3, "00ff", "phone")
        (facts.topic, facts.pushType, facts.keyID) = ("com.example.app", "alert", "KEY0000001")
        facts.headers = [("x-a", "1"), ("x-a", "2")]
        facts.payload = Array(#"{"aps":{"badge":3}}"#.utf8)
        (facts.earlierReasons, facts.longestPause) = ([.badTopic], .seconds(60))
        return facts
    }()

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isFitting: Bool
        var edit: @Sendable (inout FaultMatch) -> Void

        init(_ name: String, _ isFitting: Bool, _ edit: @escaping @Sendable (inout FaultMatch) -> Void) {
            (testDescription, self.isFitting, self.edit) = (name, isFitting, edit)
        }
    }

    static func query(_ text: String) -> WrittenQuery? {
        try? FieldFormat<WrittenQuery>.query(roots: FaultFacts.roots).value(of: text, at: "where")
    }

    static let rows = [
        Row("nothing asked", true) { _ in },
        Row("token", true) { $0.token = "00ff" }, Row("other token", false) { $0.token = "00fe" },
        Row("device", true) { $0.device = "phone" }, Row("other device", false) { $0.device = "tablet" },
        Row("topic", true) { $0.topic = "com.example.app" }, Row("other topic", false) { $0.topic = "com.example" },
        Row("push type", true) { $0.pushType = "alert" }, Row("other push type", false) { $0.pushType = "voip" },
        Row("key", true) { $0.keyID = "KEY0000001" }, Row("other key", false) { $0.keyID = "KEY0000002" },
        Row("connection", true) { $0.connection = 3 }, Row("other connection", false) { $0.connection = 4 },
        Row("second value of a header", true) { $0.headers = ["x-a": "2"] },
        Row("another value", false) { $0.headers = ["x-a": "3"] },
        Row("one of two headers", false) { $0.headers = ["x-a": "1", "x-b": "1"] },
        Row("payload", true) { $0.condition = query("payload.aps.badge>2") },
        Row("other payload", false) { $0.condition = query("payload.aps.badge>3") },
        Row("both values of a header", true) { $0.condition = query("headers.x-a~2") },
        Row("an absent member", true) { $0.condition = query("!payload.aps.alert") },
        Row("would be accepted", true) { $0.verdict = .accepted },
        Row("would not be refused", false) { $0.verdict = .refused },
        Row("not for this reason", false) { $0.verdict = .reason(.badTopic) },
        Row("after", true) { $0.after = .badTopic }, Row("after something else", false) { $0.after = .badPath },
        Row("idle", true) { $0.idle = .seconds(60) },
        Row("not idle for so long", false) { $0.idle = .milliseconds(60_001) },
        Row("all must fit", false) { ($0.device, $0.topic) = ("phone", "com.example") },
    ]

    @Test(arguments: rows) func matchesRequests(_ row: Row) {
        #expect(FaultMatch(row.edit).fits(Self.facts) == row.isFitting)
    }

    @Test func anInvalidConditionIsReportedWithItsPlace() {
        var match = FaultMatch()
        #expect(throws: FieldError.self) { try match.apply(["where": .strings(["payload>1", "titel=1"])]) }
        #expect(throws: Never.self) { try match.apply(["where": ["payload.aps.badge": [">": .integer(2)]]]) }
        #expect(match.json["where"] == ["payload.aps.badge": [">": .integer(2)]])
    }

    @Test func rejectionsMatchByReason() {
        var facts = Self.facts
        facts.reason = .badTopic
        let verdicts: [FaultVerdict] = [.accepted, .refused, .reason(.badTopic), .reason(.badPath)]
        #expect(
            verdicts.map { verdict in FaultMatch { $0.verdict = verdict }.fits(facts) } == [false, true, true, false])
    }

    static let turns: [(edit: @Sendable (inout FaultMatch) -> Void, fired: [Int])] = [
        ({ _ in }, Array(1...12)), ({ $0.nth = 3 }, [3]), ({ $0.nth = 1 }, [1]),
        ({ ($0.nth, $0.run) = (3, 2) }, [3, 4]), ({ $0.every = 4 }, [4, 8, 12]), ({ $0.every = 1 }, Array(1...12)),
        ({ ($0.every, $0.run) = (5, 3) }, [5, 6, 7, 10, 11, 12]),
    ]

    @Test(arguments: turns.indices) func firesInTurn(_ index: Int) {
        let match = FaultMatch(Self.turns[index].edit)
        #expect((1...12).filter(match.isTurn) == Self.turns[index].fired)
    }
}
