internal import APNs
package import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import JSON
internal import Queries
internal import Time

/// Notifications in answers.
extension AdminAPI {
    /// - Parameter findings: Computed here if nil.
    func summary(_ notification: Notification, findings: [Finding]? = nil) -> NotificationAnswer {
        let findings =
            findings
            ?? gateway.findings(on: notification, comparesHistory: false, silencing: configuration.silencedFindings)
        return NotificationAnswer((notification, notification.localizedContent, findings))
    }
}

struct NotificationAnswer: AnswerTable {
    typealias Parts = (notification: Notification, content: NotificationContent, findings: [Finding])
    let source: Parts

    static let rows: [Row<Parts>] =
        ofPush + [
            Row("isCommunication", \.notification.outcome?.isCommunication),
            // The author or caller; replaces the title.
            Row("sender") { parts in
                parts.notification.outcome?.isCommunication == true
                    ? parts.content.communication?.sender.shownName.ifAny : nil
            },
            Row("title", \.content.title.ifAny),
            Row("subtitle", \.content.subtitle.ifAny),
            Row("body", \.content.body.ifAny),
            Row("badge", \.content.badge),
            Row("sound", \.content.sound?.name),
            // How its service extension's run ended.
            Row("extensionEnd", \.notification.extensionRecord?.run.end),
            Row("findingCount", \.findings.count),
            Row("gravestFinding", \.findings.gravest),
        ]

    private static let ofPush: [Row<Parts>] = [
        Row("id", \.notification.sequence),
        Row("identifier", \.notification.identifier),
        Row("device", \.notification.device),
        Row("topic", \.notification.registration.topic),
        // `push`, or `local` if an app on the device scheduled it.
        Row("origin") { String?.some($0.notification.push.isLocal ? "local" : "push") },
        Row("token") { $0.notification.push.isLocal ? nil : $0.notification.registration.token },
        Row("environment", \.notification.push.environment),
        Row("state", \.notification.state.kind),
        Row("discardReason", \.notification.state.discardReason),
        Row("holdReason", \.notification.state.holdReason),
        Row("outcome", \.notification.pushOutcome),
        Row("timing", \.notification.outcome?.timing),
        Row("level", \.notification.outcome?.level),
        Row("places") { $0.notification.outcome == nil ? nil : $0.notification.places.names },
        Row("receivedAt", \.notification.push.receivedAt),
        Row("settledAt", \.notification.settledAt),
        // When the person could first see it.
        Row("shownAt", \.notification.shownAt),
        Row("apnsId") { $0.notification.push.isLocal ? nil : $0.notification.push.apnsIDText },
        Row("apnsUniqueId") { $0.notification.push.isLocal ? nil : $0.notification.push.uniqueID.text(.lower) },
        Row("pushType", \.notification.push.pushType?.name),
        Row("priority") { Int($0.notification.push.priority.rawValue) },
        Row("expiration", \.notification.push.expiration.seconds),
        Row("collapseId", \.notification.push.collapseID),
    ]

    static let shape = Shape(name: "NotificationSummary", of: rows)
}

extension [Finding] {
    fileprivate var gravest: Finding.Severity? {
        Finding.Severity.allCases.last { severity in contains { $0.severity == severity } }
    }
}

extension NotificationSound {
    fileprivate var name: String {
        switch self {
        case .default: "default"
        case .named(let name), .critical(let name, _): name
        }
    }
}

// MARK: Details

/// A part of a notification's details, computed as a whole: a query reads few of them.
enum NotificationPart: CaseIterable {
    case summary, request, contents, serviceExtension, reasons
    /// Reads the device's events and earlier pushes; by far the slowest.
    case history

    /// The members that the app's service extension may change.
    static let extensible: Set<String> = [
        QueryPath.anyText, "title", "subtitle", "body", "badge", "sound", "sender", "content", "localized",
    ]

    /// - Parameter member: of the details.
    init(of member: String) {
        self =
            switch member {
            case "request": .request
            case "content", "localized", "displayed", "announcement", "suggestion": .contents
            case "extension": .serviceExtension
            case "presentation", "circumstances", "trace", "decidedBy", "why": .reasons
            case "findingCount", "gravestFinding", "findings", "alertReleasedAt", "deliveryLog", "timeline": .history
            default: .summary
            }
    }
}

extension AdminAPI {
    /// - Parameter events: Of a preview, which the device's log does not have.
    func detail(_ notification: Notification, events: [DeviceEvent]? = nil) -> JSONValue {
        NotificationPart.allCases.reduce([:]) { $0.adding(part($1, of: notification, events: events)) }
    }

    func part(_ part: NotificationPart, of notification: Notification, events: [DeviceEvent]? = nil) -> JSONValue {
        switch part {
        case .summary: JSONValue(summary(notification, findings: []))
        case .request: ["request": request(notification)]
        case .contents: contents(of: notification)
        case .serviceExtension: ["extension": NotificationExtensionAnswer(notification).map { JSONValue($0) }]
        case .reasons: reasons(of: notification)
        case .history: history(of: notification, events ?? gateway.simulator.events(of: notification))
        }
    }

    private func history(of notification: Notification, _ events: [DeviceEvent]) -> JSONValue {
        let findings = gateway.findings(on: notification, events, silencing: configuration.silencedFindings)
        let accepted: JSONValue = ["at": .time(notification.push.receivedAt), "event": .string("accepted")]
        return [
            "findingCount": .integer(findings.count),
            "gravestFinding": findings.gravest.map { .string($0.rawValue) },
            "alertReleasedAt": events.last { $0.kind == .released }.map { .time($0.at) },
            "deliveryLog": .array(
                notification.deliveryLog(events).map { ["at": .time($0.at), "text": .string($0.text)] }),
            "findings": .array(findings.map { JSONValue(FindingAnswer($0)) }),
            "timeline": .array([accepted] + events.map { JSONValue(EventAnswer($0)) }),
        ]
    }

    private func request(_ notification: Notification) -> JSONValue {
        let push = notification.push
        let request: JSONValue = [
            "headers": .headers(push.request.fields(token: notification.registration.token)),
            "payload": JSONValue(push.payload.span.bytes) == nil ? nil : .verbatim(push.payload),
        ]
        return request.adding(JSONValue(PayloadAnswer(push.payload)))
            .adding(["connection": push.isLocal ? nil : .integer(push.connection)])
    }

    private func contents(of notification: Notification) -> JSONValue {
        let context = notification.context
        let content = notification.content
        let localized = notification.localizedContent
        return [
            "content": content.json,
            "localized": [
                "title": .string(localized.title), "subtitle": .string(localized.subtitle),
                "body": .string(localized.body),
            ],
            "displayed": notification.isShown
                ? JSONValue(DisplayedTextAnswer((notification.displayed, notification))) : nil,
            "announcement": notification.spokenText.map { .string($0) },
            "suggestion": notification.suggestion(on: context.device).map { JSONValue(Joined(SuggestionKind(), $0)) },
        ]
    }

    private func reasons(of notification: Notification) -> JSONValue {
        let context = notification.context
        let reasons = notification.reasons
        return [
            "presentation": notification.outcome.map { .strings($0.presentation.names) },
            "circumstances": [
                "device": context.device.json, "app": context.app.json, "settings": context.settings.json,
            ],
            "trace": reasons.map { .array($0.trace.map { JSONValue($0) }) },
            "decidedBy": reasons.map { .integer($0.decidedBy) },
            "why": .string(notification.whyInFull),
        ]
    }
}

extension JSONValue {
    init(_ step: TraceStep) {
        self = [
            "stage": .string(step.stage),
            "rule": .string(step.rule),
            "facts": .nonEmpty(step.facts),
            "answer": step.answer.map { .string($0) },
            "source": .string(step.source),
            "sentence": .string(step.sentence),
        ]
    }
}

struct NotificationExtensionAnswer: AnswerTable {
    /// The last two only after a run.
    typealias Parts = (progress: ExtensionProgress, record: ExtensionRecord?, original: NotificationContent?)
    let source: Parts

    static let rows: [Row<Parts>] = [
        Row("state", \.progress.state),
        Row("verdict", \.record?.verdict),
        Row("rule", \.progress.rule),
        Row("message", \.progress.message),
        Row("source", \.progress.source),
        Row("before", \.original?.json),
        Row("after", \.record?.run.answer?.json),
        Row("changes") { parts in
            parts.original.map { original in
                parts.record?.run.answer.map { Change.all(from: original, to: $0) } ?? []
            }
        },
        Row("run") { $0.record.map { ExtensionRunAnswer($0.run) } },
    ]

    struct Change: APIShape {
        var member: String
        var before: JSONValue?
        var after: JSONValue?

        /// The members that differ, in the content table's order.
        static func all(from original: NotificationContent, to answer: NotificationContent) -> [Change] {
            let (before, after) = (original.json, answer.json)
            return answer.differences(from: original).map { Change(member: $0, before: before[$0], after: after[$0]) }
        }
    }
}

extension NotificationExtensionAnswer {
    /// nil if the notification calls no extension.
    init?(_ notification: Notification) {
        guard let progress = notification.extensionProgress else { return nil }
        let record = notification.extensionRecord
        let original = record.map { _ in notification.decoded.content.localized(in: notification.context) }
        self.init(source: (progress, record, original))
    }
}

/// One run of the extension.
struct ExtensionRunAnswer: AnswerTable {
    let source: ExtensionRun

    static let rows: [Row<ExtensionRun>] = [
        Row("end", \.end),
        Row("detail", \.detail.ifAny, .filled("Details of the end, such as `exit status 0`.")),
        Row("answerSource", \.answerSource, "Absent without an answer."),
        Row("ignoredAnswers", \.ignoredAnswerCount, "Calls of the handler after the first."),
        Row("startedAt", \.startedAt),
        Row("expiredAt", \.expiredAt, "When `serviceExtensionTimeWillExpire` was called."),
        Row("endedAt", \.endedAt),
        Row("isNewProcess", \.isNewProcess, "Whether a process was started for it."),
        Row(
            "startUpMilliseconds", { $0.startUpMilliseconds.map(rounded) },
            .with("minimum: 0", "Real time until `didReceive` was entered.")),
        Row(
            "answerMilliseconds", { $0.answerMilliseconds.map(rounded) },
            .with("minimum: 0", "Real time until the handler was called.")),
        Row("peakMemoryBytes", \.peakMemoryByteCount),
        Row("log", \.log, "Its log, oldest first."),
        Row("output", \.outputTail.ifAny, .filled("The end of its standard error and output.")),
        Row("donations", { $0.donations.map(\.json) }, .list("Donation")),
        Row(
            "centerCalls",
            { run in
                (run.centerCalls + run.donationCalls.compactMap(\.centerCall)).map {
                    ExtensionRun.CenterCall($0.name, $0.arguments.sorted)
                }
            },
            "Its calls of UNUserNotificationCenter, then its calls about donations; each kind in order."),
        Row("findings") { $0.findings.map { FindingAnswer($0) } },
    ]

    static let shape = Shape(about: "One run of the extension.", of: rows)

    @Sendable private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 100).rounded() / 100 }
}

extension ExtensionRun.CenterCall: APIShape {
    package static let shape = Shape([
        "name": "Such as `setBadgeCount`.",
        "arguments": "The arguments of the call.",
    ])
}
