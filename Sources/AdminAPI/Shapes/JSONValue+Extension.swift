internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import JSON

extension Notification {
    /// What the service extension had to do with it; nil where nobody expects one.
    var extensionTree: JSONValue? {
        if let record = extensionRecord { return JSONValue(record, asked: asked) }
        let context = context
        guard context.app.extension != nil || content.isMutable, kind == .alert else { return nil }
        if state == .accepted { return ["state": .string("running")] }
        let digest = PayloadDigest(push.payload.span.bytes)
        guard let unmet = ExtensionCondition.unmet(by: kind, digest.traits, in: context) else {
            return ["state": .string("waiting"), "message": .string("The device has not taken the push yet.")]
        }
        return [
            "state": .string("notEmployed"), "rule": .string(unmet.rawValue), "message": .string(unmet.whyNot),
            "source": .string(unmet.source),
        ]
    }

    /// The content that the extension was asked about.
    private var asked: NotificationContent {
        decoded.content.localized(app: context.app, locale: context.device.locale)
    }
}

extension JSONValue {
    /// A service extension's run, and what came of it.
    init(_ record: ExtensionRecord, asked: NotificationContent) {
        let run = record.run
        let verdict: JSONValue = [
            "state": .string("finished"),
            "verdict": .string(record.verdict.rawValue),
            "rule": .string(record.rule),
            "message": .string(record.sentence),
            "source": .string(record.source),
            "before": asked.json,
            "after": run.answer.map { $0.json },
            "changes": .array(run.answer.map { Self.changes(from: asked, to: $0) } ?? []),
        ]
        self = verdict.adding(["run": JSONValue(run)])
    }

    /// A run as its supervisor saw it.
    init(_ run: ExtensionRun) {
        self = [
            "end": .string(run.end.rawValue),
            "detail": .nonEmpty(run.detail),
            "answerSource": run.answerSource.map { .string($0.rawValue) },
            "ignoredAnswers": .integer(run.ignoredAnswerCount),
            "startedAt": .time(run.startedAt),
            "expiredAt": run.expiredAt.map { .time($0) },
            "endedAt": .time(run.endedAt),
            "isNewProcess": .bool(run.isNewProcess),
            "startUpMilliseconds": run.startUpMilliseconds.map { .milliseconds($0) },
            "answerMilliseconds": run.answerMilliseconds.map { .milliseconds($0) },
            "peakMemoryBytes": run.peakMemoryByteCount.map { .integer($0) },
            "log": .array(run.log.map { ["level": .string($0.level), "message": .string($0.message)] }),
            "output": .nonEmpty(run.outputTail),
            "donations": .array(run.donations.map { $0.json }),
            "centerCalls": .array(
                run.centerCalls.map { ["name": .string($0.name), "arguments": $0.arguments.sorted] }),
            "findings": .array(run.findings.map { JSONValue($0) }),
        ]
    }

    /// The members that differ, in the order of the content's table.
    private static func changes(from asked: NotificationContent, to answer: NotificationContent) -> [JSONValue] {
        let (before, after) = (asked.json, answer.json)
        return answer.differences(from: asked).map { name in
            [
                "member": .string(name), "before": before[name], "after": after[name],
            ]
        }
    }

    /// To the hundredth.
    private static func milliseconds(_ value: Double) -> JSONValue { .number((value * 100).rounded() / 100) }
}
