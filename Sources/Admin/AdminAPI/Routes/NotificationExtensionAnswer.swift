package import DeviceModel
package import DeviceSimulator
internal import Fields
package import JSON
package import Time

package struct NotificationExtensionAnswer: APIShape {
    /// Only the last has a verdict and a run.
    package var state: ExtensionProgress.State
    package var verdict: ExtensionDecision.Verdict?
    package var rule: String?
    package var message: String?
    package var source: String?
    package var before: JSONValue?
    package var after: JSONValue?
    package var changes: [Change]?
    package var run: ExtensionRunAnswer?

    package struct Change: APIShape {
        package var member: String
        package var before: JSONValue?
        package var after: JSONValue?
    }
}

package struct ExtensionRunAnswer: APIShape {
    package var end: ExtensionRun.End
    package var detail: String?
    package var answerSource: ExtensionRun.AnswerSource?
    package var ignoredAnswers: Int
    package var startedAt: Instant
    package var expiredAt: Instant?
    package var endedAt: Instant
    package var isNewProcess: Bool
    package var startUpMilliseconds: Double?
    package var answerMilliseconds: Double?
    package var peakMemoryBytes: Int?
    package var log: [ExtensionRun.LogLine]
    package var output: String?
    package var donations: [JSONValue]
    package var centerCalls: [ExtensionRun.CenterCall]
    package var findings: [FindingAnswer]

    package static let shape = Shape(
        about: "One run of the extension.",
        [
            "detail": .filled("Details of the end, such as `exit status 0`."),
            "answerSource": "Absent without an answer.",
            "ignoredAnswers": "Calls of the handler after the first.",
            "expiredAt": "When `serviceExtensionTimeWillExpire` was called.",
            "isNewProcess": "Whether a process was started for it.",
            "startUpMilliseconds": .with("minimum: 0", "Real time until `didReceive` was entered."),
            "answerMilliseconds": .with("minimum: 0", "Real time until the handler was called."),
            "log": "Its log, oldest first.",
            "output": .filled("The end of its standard error and output."),
            "donations": .list("Donation"),
            "centerCalls": "Its calls of UNUserNotificationCenter, then its calls about donations; each kind in order.",
        ])
}

extension NotificationExtensionAnswer {
    /// nil if the notification calls no extension.
    init?(_ notification: Notification) {
        guard let progress = notification.extensionProgress else { return nil }
        self.init(
            state: progress.state, rule: progress.rule, message: progress.message, source: progress.source)
        guard let record = notification.extensionRecord else { return }
        let original = notification.decoded.content.localized(in: notification.context)
        (verdict, before, after) = (record.verdict, original.json, record.run.answer?.json)
        changes = record.run.answer.map { Self.changes(from: original, to: $0) } ?? []
        run = ExtensionRunAnswer(record.run)
    }

    /// The members that differ, in the content table's order.
    private static func changes(from original: NotificationContent, to answer: NotificationContent) -> [Change] {
        let (before, after) = (original.json, answer.json)
        return answer.differences(from: original).map { Change(member: $0, before: before[$0], after: after[$0]) }
    }
}

extension ExtensionRunAnswer {
    fileprivate init(_ run: ExtensionRun) {
        self.init(
            end: run.end, detail: run.detail.ifAny, answerSource: run.answerSource,
            ignoredAnswers: run.ignoredAnswerCount, startedAt: run.startedAt, expiredAt: run.expiredAt,
            endedAt: run.endedAt, isNewProcess: run.isNewProcess,
            startUpMilliseconds: run.startUpMilliseconds.map(Self.rounded),
            answerMilliseconds: run.answerMilliseconds.map(Self.rounded), peakMemoryBytes: run.peakMemoryByteCount,
            log: run.log, output: run.outputTail.ifAny, donations: run.donations.map(\.json),
            centerCalls: (run.centerCalls + run.donationCalls.compactMap(\.centerCall)).map {
                .init($0.name, $0.arguments.sorted)
            },
            findings: run.findings.map { FindingAnswer($0) })
    }

    private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 100).rounded() / 100 }
}

extension ExtensionRun.CenterCall: APIShape {
    package static let shape = Shape([
        "name": "Such as `setBadgeCount`.",
        "arguments": "The arguments of the call.",
    ])
}
