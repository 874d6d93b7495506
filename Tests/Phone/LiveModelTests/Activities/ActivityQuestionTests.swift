import TestSupport
import Testing
import Time

@testable import DeviceModel
@testable import LiveModel

/// The questions of the tables, with each value absent, at its bounds, and present.
@Suite struct ActivityQuestionTests {
    static let edits: [@Sendable (inout ActivityDecision) -> Void] = [
        { _ in },
        { $0.osVersion = "16.1" },
        { $0.count = 0 },
        { $0.count = 5 },
        { $0.byteCount = 0 },
        { $0.byteCount = 4097 },
        { $0.focus = "Work" },
        { $0.failure = DecodingFailure(path: "content-state.eta", reason: "is missing") },
        { ($0.event, $0.type, $0.nearestType) = ("finish", "delivery", "Delivery") },
        { $0.timestamp = $0.at.seconds - 1 },
        { $0.timestamp = $0.at.seconds + 28_801 },
        { $0.timestamp = 4e13 },
        { $0.timestamp = -1e300 },
        { ($0.timestamp, $0.lastTimestamp) = (100, 103) },
        { ($0.timestamp, $0.lastTimestamp) = (103, 100) },
    ]

    static let rules: [Rule<ActivityDecision, ActivityVerdict>] = addressTable.rows + startTable.rows + updateTable.rows

    @Test("every question reads well without its values and with them", arguments: edits.indices)
    func readsWell(_ edit: Int) {
        var decision = ActivityDecision(bundleID: "com.example.app", at: Instant(milliseconds: 1_800_000_000_000))
        Self.edits[edit](&decision)
        let questions = Self.rules.map { $0.question(decision) } + alertTable.rows.map { $0.question(decision) }
        for question in questions + alertSoundTable.rows.map({ $0.question(decision) }) {
            #expect(Sentences.problem(in: question) == nil)
        }
    }

    @Test("a value that does not fit the question says so") func contradictions() {
        var decision = ActivityDecision(bundleID: "com.example.app", at: Instant(milliseconds: 1_800_000_000_000))
        decision.timestamp = 1_799_999_999
        decision.lastTimestamp = 1_799_999_996
        decision.count = 0
        func question(_ rule: String) -> String? { Self.rules.first { $0.name == rule }?.question(decision) }
        #expect(question("6") == "is the timestamp more than 8 h ahead (it is 1 s ago)?")
        #expect(question("7") == "is the update older than the latest one (it is 3.0 s newer)?")
        #expect(question("S7.app") == "does the app have as many activities as are allowed (it has 0)?")
        #expect(question("4.version") == "is iOS too old for it?")
    }
}
