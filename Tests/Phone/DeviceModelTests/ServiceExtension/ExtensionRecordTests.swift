import TestSupport
import Testing
import Time

@testable import DeviceModel

/// The handling of an answer without a text (C.3).
@Suite struct ExtensionRecordTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var edit: @Sendable (inout NotificationContent) -> Void
        var isFiltering = false
        var statesAlert = true
        var end = ExtensionRun.End.answered
        var rule: String
        var isFound: Bool
    }

    static let rows = [
        Row(testDescription: "a title", edit: { $0.title = "New" }, rule: "nse.modified", isFound: false),
        Row(testDescription: "nothing", edit: { _ in }, rule: "nse.alertRemoved", isFound: true),
        Row(testDescription: "a sound", edit: { $0.sound = .default }, rule: "nse.alertRemoved", isFound: true),
        Row(
            testDescription: "nothing, filtering", edit: { _ in }, isFiltering: true, rule: "nse.suppressed",
            isFound: false),
        Row(
            testDescription: "a sound, filtering", edit: { $0.sound = .default }, isFiltering: true,
            rule: "nse.filtering.notEmpty", isFound: true),
        Row(
            testDescription: "nothing, filtering, no alert stated", edit: { _ in }, isFiltering: true,
            statesAlert: false, rule: "nse.filtering.pushType", isFound: true),
        Row(
            testDescription: "a title as time ran out", edit: { $0.title = "New" }, end: .expired,
            rule: "nse.bestAttempt", isFound: false),
    ]

    @Test(arguments: rows) func aRemovedTextIsAFinding(_ row: Row) {
        let content = NotificationContent.with(row.edit)
        let now = Instant(milliseconds: 0)
        var run = ExtensionRun(row.end, startedAt: now, endedAt: now)
        run.answer = content
        run.answerSource = row.end == .answered ? .handler : .bestAttempt
        let app = App(
            bundleID: "com.example.chat", entitlements: row.isFiltering ? [Entitlement.filtering.rawValue] : [])
        let record = ExtensionRecord(run, app: app, statesAlert: row.statesAlert)
        #expect(record.rule == row.rule)
        #expect(record.run.findings.map(\.id) == (row.isFound ? ["nse.handler.dropsAlert"] : []))
        #expect(record.run.findings.allSatisfy { $0.severity == .warning && $0.source == "C.3" && $0.fix != nil })
    }

    @Test func aMissingAnswerIsNotARemovedText() {
        let now = Instant(milliseconds: 0)
        for end in ExtensionRun.End.allCases {
            let record = ExtensionRecord(
                ExtensionRun(end, startedAt: now, endedAt: now), app: App(bundleID: "a"), statesAlert: true)
            #expect(record.run.findings.isEmpty)
        }
    }
}
