internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import JSON

/// Everything about one notification: what was sent, what the device made of it, and why.
extension NotificationView {
    /// Everything about a notification.
    mutating func detail(_ notification: Notification) -> JSONValue {
        let content = notification.content
        let findings = findings(notification, isAlone: true)
        let events = events(of: notification)
        return summary(notification, content, findings: findings)
            .adding(["request": request(notification)])
            .adding(contents(of: notification, content))
            .adding(["extension": notification.extensionTree])
            .adding(reasons(of: notification))
            .adding([
                "alertReleasedAt": events.last { $0.kind == .released }.map { .time($0.at) },
                "deliveryLog": .array(
                    deliveryLog(of: notification, events).map { ["at": .time($0.at), "text": .string($0.text)] }),
                "findings": .array(findings.map { JSONValue($0) }),
                "timeline": .array(timeline(of: notification, events)),
            ])
    }

    /// What the provider sent.
    private func request(_ notification: Notification) -> JSONValue {
        let push = notification.push
        let request: JSONValue = [
            "headers": .headers(push.request.fields(token: notification.registration.token)),
            "payload": .value(push.payload),
        ]
        return request.adding(.payload(push.payload)).adding(["connection": .integer(push.connection)])
    }

    /// What the app is told, what that is in the device's language, and what the person sees.
    private func contents(of notification: Notification, _ content: NotificationContent) -> JSONValue {
        let around = notification.context
        let localized = content.localized(app: around.app, locale: around.device.locale)
        return [
            "content": content.json,
            "localized": [
                "title": .string(localized.title), "subtitle": .string(localized.subtitle),
                "body": .string(localized.body),
            ],
            "displayed": notification.isShown
                ? JSONValue(
                    notification.displayed(content, device: around.device, settings: around.settings),
                    on: notification.device) : nil,
            "announcement": notification.spokenText.map { .string($0) },
            "suggestion": notification.suggestion(on: around.device).map { JSONValue($0) },
        ]
    }

    /// What was decided, from what, and by which rules.
    private func reasons(of notification: Notification) -> JSONValue {
        let around = notification.context
        return [
            "presentation": notification.outcome.map { .strings($0.presentation.names) },
            "circumstances": [
                "device": around.device.json, "app": around.app.json,
                "settings": around.settings.json,
            ],
            "trace": notification.trace.map { .array($0.map { JSONValue($0) }) },
            "why": .string(notification.why),
        ]
    }

    /// What happened to a notification, from the gateway's answer on.
    private func timeline(of notification: Notification, _ events: [DeviceEvent]) -> [JSONValue] {
        let accepted: JSONValue = ["at": .time(notification.push.receivedAt), "event": .string("accepted")]
        return [accepted] + events.map { JSONValue($0) }
    }

    /// Everything that happened to a notification on its device.
    func events(of notification: Notification) -> [DeviceEvent] {
        gateway.simulator.events(
            EventQuery(device: notification.device, notification: notification.sequence, limit: 1000)
        ).events
    }

    /// The states it went through, as the delivery log of Apple's push console words them.
    ///
    /// - Parameter events: `events(of:)` of the same notification.
    func deliveryLog(of notification: Notification, _ events: [DeviceEvent]) -> [(at: Instant, text: String)] {
        var log = [(at: notification.push.receivedAt, text: DeliveryState.accepted.deliveryLogText)]
        for event in events where event.kind == .stored {
            guard case .string(let word) = event.details["reason"],
                let reason = HoldReason.allCases.first(where: { $0.name == word })
            else { continue }
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
    /// Whether there is something to look at.
    var isShown: Bool {
        guard let timing = outcome?.timing else { return false }
        return timing != .notAllowed && timing != .nothingToShow
    }

    /// In one line, what became of it and why.
    var why: String {
        if let sentence = (outcome ?? explanation?.outcome)?.sentence { return sentence }
        if let record = extensionRecord, state.kind == .discarded { return record.sentence }
        return extensionTree == nil || state != .accepted
            ? "\(state.deliveryLogText)." : "The app's service extension has it, so nothing is shown yet."
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
