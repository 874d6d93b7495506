internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import JSON
internal import Lint
internal import LiveModel
internal import Queries
internal import SiriModel
internal import Time

/// Notifications in answers.
extension AdminAPI {
    /// - Parameter findings: Computed here if nil.
    func summary(_ notification: Notification, findings: [Finding]? = nil) -> NotificationAnswer {
        let push = notification.push
        let outcome = notification.outcome
        let content = notification.localizedContent
        let findings = findings ?? self.findings(notification, comparesHistory: false)
        return NotificationAnswer(
            id: notification.sequence, identifier: notification.identifier, device: notification.device,
            topic: notification.registration.topic, origin: push.isLocal ? "local" : "push",
            token: push.isLocal ? nil : notification.registration.token.hex, environment: push.environment.rawValue,
            state: notification.state.kind.rawValue,
            discardReason: notification.state.discardReason?.rawValue,
            holdReason: notification.state.holdReason?.rawValue, outcome: notification.pushOutcome.rawValue,
            timing: outcome?.timing.rawValue,
            level: outcome?.level.rawValue,
            places: outcome.map { _ in notification.places.names }, receivedAt: push.receivedAt.text,
            settledAt: notification.settledAt.text, shownAt: notification.shownAt?.text,
            apnsId: push.isLocal ? nil : push.apnsIDText,
            apnsUniqueId: push.isLocal ? nil : push.uniqueID.text(.lower), pushType: push.pushType?.name,
            priority: Int(push.priority.rawValue), expiration: push.expiration.seconds,
            collapseId: push.collapseID, isCommunication: outcome?.isCommunication,
            sender: outcome?.isCommunication == true ? content.communication?.sender.shownName.ifAny : nil,
            title: content.title.ifAny, subtitle: content.subtitle.ifAny, body: content.body.ifAny,
            badge: content.badge, sound: content.sound?.name,
            extensionEnd: notification.extensionRecord?.run.end.rawValue, findingCount: findings.count,
            gravestFinding: findings.gravest)
    }

    /// - Parameter comparesHistory: Whether to compare with earlier pushes, which is too slow for a list.
    func findings(_ notification: Notification, comparesHistory: Bool) -> [Finding] {
        let (push, silenced) = (notification.push, configuration.silencedFindings)
        let ofConnection =
            push.isLocal ? [] : RequestFindings.arrivalFindings(for: push.request, on: facts(of: push))
        let subject = LintSubject(notification, in: gateway, hasHistory: comparesHistory)
        let run = notification.extensionRecord?.run
        let ofHeaders = push.isLocal ? [] : RequestFindings.findings(for: push, subject.content)
        let request = ofConnection + ofHeaders + (run?.findings ?? [])
        let found = Lint.findings(for: subject, silencing: silenced)
        return request.filter { !silenced.contains($0.id) } + found
            + findings(on: run?.donations ?? [], besides: found, on: subject.content.communication)
    }

    /// With what a comparison with earlier pushes finds, and why the calendar rejected the extension's reservations.
    private func findings(_ notification: Notification, _ events: [DeviceEvent]) -> [Finding] {
        let found = findings(notification, comparesHistory: true)
        let ofCalendar = events.filter { $0.kind == .calendarEvent }.flatMap {
            [Finding](reported: $0.details["findings"])
        }
        return found
            + ofCalendar.filter { new in
                !configuration.silencedFindings.contains(new.id)
                    && !found.contains { $0.id == new.id && $0.message == new.message }
            }
    }

    /// Findings about donations, deduplicated and without those already reported for the same intent's content.
    private func findings(
        on donations: [Donation], besides found: [Finding], on context: CommunicationContext?
    ) -> [Finding] {
        var findings: [Finding] = []
        for (index, donation) in donations.enumerated() {
            let subject = DonationSubject(donation, recent: Array(donations[..<index]))
            let isContents = context.map { donation.isOfConversation(in: $0) } ?? false
            let all = Lint.findings(for: subject, silencing: configuration.silencedFindings)
            for finding in all where !findings.contains(finding) {
                let isFound = isContents && found.contains { $0.id == finding.id && $0.message == finding.message }
                if !isFound { findings.append(finding) }
            }
        }
        return findings
    }

    /// `nil` if the connection's number was reused, after a restart or a loaded state.
    private func facts(of push: Push) -> ConnectionFacts? {
        guard let facts = gateway.connectionLog.snapshot(of: push.connection)?.facts, facts.openedAt <= push.receivedAt
        else {
            return nil
        }
        return facts
    }
}

package struct NotificationAnswer: APIShape {
    package var id: UInt64
    package var identifier: String
    package var device: String
    package var topic: String
    /// `push`, or `local` if an app on the device scheduled it.
    package var origin: String?
    package var token: String?
    package var environment: String
    package var state: String
    package var discardReason: String?
    package var holdReason: String?
    /// What became of it, in one word: `PushOutcome`.
    package var outcome: String
    package var timing: String?
    package var level: String?
    package var places: [String]?
    package var receivedAt: String
    package var settledAt: String
    /// When the person could first see it.
    package var shownAt: String?
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
    package var extensionEnd: String?
    package var findingCount: Int
    /// The severity of the gravest finding.
    package var gravestFinding: String?

    package static let shape = Shape(name: "NotificationSummary")
}

extension [Finding] {
    fileprivate var gravest: String? {
        Finding.Severity.allCases.last { severity in contains { $0.severity == severity } }?.rawValue
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
        case .serviceExtension: ["extension": notification.extensionAnswer.map { JSONValue($0) }]
        case .reasons: reasons(of: notification)
        case .history: history(of: notification, events ?? self.events(of: notification))
        }
    }

    private func history(of notification: Notification, _ events: [DeviceEvent]) -> JSONValue {
        let findings = findings(notification, events)
        let accepted: JSONValue = ["at": .time(notification.push.receivedAt), "event": .string("accepted")]
        return [
            "findingCount": .integer(findings.count),
            "gravestFinding": findings.gravest.map { .string($0) },
            "alertReleasedAt": events.last { $0.kind == .released }.map { .time($0.at) },
            "deliveryLog": .array(
                deliveryLog(of: notification, events).map { ["at": .time($0.at), "text": .string($0.text)] }),
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
                ? JSONValue(
                    DisplayedTextAnswer(
                        notification.displayed(content, device: context.device, settings: context.settings),
                        of: notification)) : nil,
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
            "why": .string(why(notification)),
        ]
    }

    /// The outcome and its reason, on one line; a push that woke its app says how often it was woken within an hour.
    private func why(_ notification: Notification) -> String {
        guard let number = gateway.simulator.wakeNumber(of: notification) else { return notification.why }
        return
            "\(notification.why.dropLast()), \(number) of \(notification.context.assumptions.backgroundBudget) this hour."
    }

    func events(of notification: Notification) -> [DeviceEvent] {
        gateway.simulator.events(
            EventQuery(device: notification.device, notification: notification.sequence, limit: 1000)
        ).items
    }

    /// Its states in the wording of the delivery log in Apple's Push Notifications Console.
    func deliveryLog(of notification: Notification, _ events: [DeviceEvent]) -> [(at: Instant, text: String)] {
        var log = [(at: notification.push.receivedAt, text: DeliveryState.accepted.deliveryLogText)]
        for event in events where event.kind == .stored {
            guard case .string(let word) = event.details["reason"], let reason = HoldReason(rawValue: word) else {
                continue
            }
            log.append((event.at, DeliveryState.stored(reason).deliveryLogText))
        }
        switch notification.state {
        case .accepted, .stored: break
        case .delivered, .discarded: log.append((notification.settledAt, notification.state.deliveryLogText))
        }
        return log
    }
}

extension Notification {
    var isShown: Bool {
        guard let timing = outcome?.timing else { return false }
        return timing != .notAllowed && timing != .nothingToShow
    }

    /// The outcome and its reason, on one line.
    var why: String {
        if let activity { return activity.sentence }
        if let outcome = outcome ?? explanation?.outcome {
            return outcome.sentence(focus: context.device.focus.activeMode?.shownName)
        }
        if let service { return service.sentence }
        if let record = extensionRecord, state.kind == .discarded { return record.sentence }
        if let reason = state.holdReason {
            let end = expiresAt.text
            return "\(reason.sentencePart); expires \(end.prefix(10)) \(end.dropFirst(11).prefix(5)) UTC."
        }
        if state == .delivered { return kind.effect }
        return extensionAnswer == nil || state != .accepted
            ? "\(state.deliveryLogText)." : "The app's service extension has it, so nothing is shown yet."
    }
}

extension PushType {
    /// What a delivered push does for an app that declares nothing about its type.
    fileprivate var effect: String {
        switch self {
        case .alert, .liveactivity: "Delivered."
        case .background: "The app is woken."
        case .voip: "The app is woken and must report a call."
        case .pushtotalk: "The app is woken and says who speaks."
        case .location: "The location push extension is asked for the location."
        case .fileprovider: "The file provider's enumerator is signalled."
        case .mdm: "The device polls the MDM server."
        case .widgets: "Widgets are reloaded."
        case .controls: "The control is reloaded."
        case .complication: "The complication is updated."
        }
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

// MARK: Explanation

extension AdminAPI {
    func explanation(_ notification: Notification) -> String {
        let context = notification.context
        let content = notification.content
        var lines = [
            "Notification \(notification.sequence) for \(context.app.bundleID) on \(notification.device): "
                + "\(notification.state.deliveryLogText).",
            why(notification),
        ]
        if notification.isShown {
            let text = notification.displayed(content, device: context.device, settings: context.settings)
            let parts = [text.label, text.title, text.subtitle, text.body].compactMap(\.self).filter { !$0.isEmpty }
            lines.append("Shown as: " + parts.joined(separator: " | "))
        }
        let events = events(of: notification)
        let log = deliveryLog(of: notification, events)
        lines += section("Delivery log", log.map { "\($0.at.text) \($0.text)" })
        lines += section("Service extension", extensionLines(of: notification))
        lines += section("Rules, in the order tried", notification.reasons?.trace.map(\.sentence) ?? [])
        let findings = findings(notification, events)
        lines += section(
            "Findings",
            findings.map { finding in
                let place = finding.path.isEmpty ? "" : " (\(finding.path))"
                return "\(finding.severity.rawValue) \(finding.id)\(place): \(finding.message)"
            })
        return lines.joined(separator: "\n") + "\n"
    }

    private func extensionLines(of notification: Notification) -> [String] {
        guard let record = notification.extensionRecord else {
            return [notification.extensionAnswer?.message].compactMap(\.self)
        }
        let run = record.run
        let original = notification.decoded.content
        let changed = run.answer?.differences(from: original).joined(separator: ", ") ?? ""
        return ["\(record.sentence) (\(record.rule))"]
            + (changed.isEmpty ? [] : ["It changed \(changed)."])
            + (run.detail.isEmpty ? [] : ["It ended: \(run.detail)."])
            + run.log.map { "log \($0.level): \($0.message)" }
    }

    private func section(_ heading: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : ["", heading] + lines.map { "  \($0)" }
    }
}
