package import APNs
package import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import JSON
internal import Queries
package import Time

/// Notifications in answers.
extension AdminAPI {
    /// - Parameter findings: Computed here if nil.
    func summary(_ notification: Notification, findings: [Finding]? = nil) -> NotificationAnswer {
        let push = notification.push
        let outcome = notification.outcome
        let content = notification.localizedContent
        let findings =
            findings
            ?? gateway.findings(on: notification, comparesHistory: false, silencing: configuration.silencedFindings)
        return NotificationAnswer(
            id: notification.sequence, identifier: notification.identifier, device: notification.device,
            topic: notification.registration.topic, origin: push.isLocal ? "local" : "push",
            token: push.isLocal ? nil : notification.registration.token, environment: push.environment,
            state: notification.state.kind, discardReason: notification.state.discardReason,
            holdReason: notification.state.holdReason, outcome: notification.pushOutcome, timing: outcome?.timing,
            level: outcome?.level, places: outcome.map { _ in notification.places.names },
            receivedAt: push.receivedAt, settledAt: notification.settledAt, shownAt: notification.shownAt,
            apnsId: push.isLocal ? nil : push.apnsIDText,
            apnsUniqueId: push.isLocal ? nil : push.uniqueID.text(.lower), pushType: push.pushType?.name,
            priority: Int(push.priority.rawValue), expiration: push.expiration.seconds,
            collapseId: push.collapseID, isCommunication: outcome?.isCommunication,
            sender: outcome?.isCommunication == true ? content.communication?.sender.shownName.ifAny : nil,
            title: content.title.ifAny, subtitle: content.subtitle.ifAny, body: content.body.ifAny,
            badge: content.badge, sound: content.sound?.name,
            extensionEnd: notification.extensionRecord?.run.end, findingCount: findings.count,
            gravestFinding: findings.gravest)
    }
}

package struct NotificationAnswer: APIShape {
    package var id: UInt64
    package var identifier: String
    package var device: String
    package var topic: String
    /// `push`, or `local` if an app on the device scheduled it.
    package var origin: String?
    package var token: DeviceToken?
    package var environment: APNsEnvironment
    package var state: DeliveryState.Kind
    package var discardReason: DiscardReason?
    package var holdReason: HoldReason?
    package var outcome: PushOutcome
    package var timing: Timing?
    package var level: InterruptionLevel?
    package var places: [String]?
    package var receivedAt: Instant
    package var settledAt: Instant
    /// When the person could first see it.
    package var shownAt: Instant?
    package var apnsId: String?
    package var apnsUniqueId: String?
    package var pushType: String?
    package var priority: Int
    package var expiration: Int64?
    package var collapseId: String?
    package var isCommunication: Bool?
    /// The author or caller; replaces the title.
    package var sender: String?
    package var title: String?
    package var subtitle: String?
    package var body: String?
    package var badge: Int?
    package var sound: String?
    /// How its service extension's run ended.
    package var extensionEnd: ExtensionRun.End?
    package var findingCount: Int
    /// The severity of the gravest finding.
    package var gravestFinding: Finding.Severity?

    package static let shape = Shape(name: "NotificationSummary")
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
                ? JSONValue(DisplayedTextAnswer(notification.displayed, of: notification)) : nil,
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
