internal import APNs
internal import DeviceModel
internal import Fields
internal import JSON
internal import LiveModel

/// The source of consecutive events, which are built outside the lock.
enum EventRecord {
    case received(InboxEntry, Push)
    case delivery(InboxEntry, Push, Shared<ExtensionRecord>?)
    case eventLog(EventLog.Entry)
    case issued(RegistrationEntry, number: UInt64, replaces: DeviceToken?)

    var numbers: ClosedRange<UInt64> {
        switch self {
        case .received(let item, _): item.receivedEvent...item.receivedEvent
        case .delivery(let item, _, _): item.deliveryEvent...item.lastEvent
        case .eventLog(let entry): entry.number...entry.number
        case .issued(_, let number, _): number...number
        }
    }

    var events: [DeviceEvent] {
        switch self {
        case .received(let item, let push):
            [item.received(push)]
        case .delivery(let item, let push, let record): item.deliveryEvents(push, record)
        case .eventLog(let entry): [entry.event]
        case .issued(let entry, let number, let replaced): [entry.issued(number, replacing: replaced)]
        }
    }
}

extension RegistrationEntry {
    fileprivate func issued(_ number: UInt64, replacing former: DeviceToken?) -> DeviceEvent {
        let use = TokenUse(kind, bundleID: bundleID, environment: environment, subject: subject)
        return DeviceEvent(
            number: number, at: registeredAt, kind: .tokenIssued, app: bundleID,
            details: use.details(of: token, replacing: former, topic: topic))
    }
}

extension TokenUse {
    /// The details of `tokenIssued`.
    ///
    /// - Parameter topic: nil for the use's own.
    func details(of token: DeviceToken, replacing former: DeviceToken?, topic: String? = nil) -> JSONObject {
        [
            "kind": .string(kind.rawValue), "topic": .string(topic ?? self.topic),
            "environment": .string(environment.rawValue), "token": .string(token.hex),
            "replaces": former.map { .string($0.hex) },
        ]
    }
}

extension InboxEntry {
    fileprivate func received(_ push: Push) -> DeviceEvent {
        if push.isLocal {
            return DeviceEvent(
                number: receivedEvent, at: push.receivedAt, kind: .localFired, notification: sequence, app: bundleID,
                details: ["identifier": push.collapseID.map { .string($0) }])
        }
        return DeviceEvent(
            number: receivedEvent, at: push.receivedAt, kind: .received, notification: sequence, app: bundleID,
            details: [
                "pushType": .string(kind.name), "priority": .integer(push.priority.rawValue),
                "apnsUniqueId": .string(push.uniqueID.text(.lower)),
            ])
    }

    fileprivate func deliveryEvents(_ push: Push, _ record: Shared<ExtensionRecord>?) -> [DeviceEvent] {
        let content = push.content(record).localized(in: context)
        return deliveryEvents.enumerated().map { index, event in
            DeviceEvent(
                number: deliveryEvent + UInt64(index), at: settledAt(push), kind: event.kind, notification: sequence,
                app: bundleID, details: details(of: event, content))
        }
    }

    private func details(
        of event: (kind: DeviceEvent.Kind, presentation: Presentation), _ content: NotificationContent
    ) -> JSONObject {
        switch event.kind {
        case .discarded: return ["reason": .string(state.discardReason?.rawValue ?? "")]
        case .contentDelivered: return ["title": .string(content.title), "body": .string(content.body)]
        case .badge: return ["count": .integer(content.badge ?? 0)]
        case .banner: return presentation.contains(.persistentBanner) ? ["persistent": .bool(true)] : [:]
        case .lockScreen:
            return presentation.contains(.whileInFocus) ? ["section": .string(Presentation.focusSection)] : [:]
        case .sound: return soundDetails(content)
        case .silencedByFocus: return ["focus": .string(context.device.focus.active ?? "")]
        case .appLaunch: return ["state": .string("background")]
        case .call:
            guard context.device.osVersion >= LiveFeature.callMetadata.since else { return [:] }
            return ["mustReport": .bool(self.presentation.contains(.mustReport))]
        case .willPresent:
            return ["options": .strings((context.app.presentationOptions ?? []).map(\.rawValue))]
        case .prompt:
            let prompt: Prompt = event.presentation == .provisionalPrompt ? .provisional : .timeSensitiveIntro
            return prompt.details(isSummaryOn: context.device.summary.isEnabled)
        case .announced: return ["text": .string(spokenText(content))]
        case .carPlay:
            let isRead = self.presentation.contains(.carPlayRead)
            return ["isRead": .bool(isRead), "text": isRead ? .string(spokenText(content)) : nil]
        default: return [:]
        }
    }

    func spokenText(_ content: NotificationContent) -> String {
        content.spokenText(
            app: context.app, device: context.device, settings: context.settings,
            isCommunication: places.contains(.communication))
    }

    private func soundDetails(_ content: NotificationContent) -> JSONObject {
        var details: JSONObject = [:]
        switch content.sound {
        case .none, .default: details["name"] = .string("default")
        case .named(let name): details["name"] = .string(context.app.plays(name) ? name : "default")
        case .critical(let name, let volume):
            details["name"] = .string(context.app.plays(name) ? name : "default")
            if presentation.contains(.criticalSound) { details["volume"] = .number(volume) }
        }
        if presentation.contains(.criticalSound) { details["critical"] = .bool(true) }
        return details
    }
}

extension Prompt {
    func details(isSummaryOn: Bool) -> JSONObject {
        ["kind": .string(rawValue), "choices": .strings(choices(isSummaryOn: isSummaryOn).map(\.rawValue))]
    }
}

extension App {
    /// A missing file plays the default sound (B.9).
    fileprivate func plays(_ name: String) -> Bool { soundNames?.contains(name) ?? true }
}

extension EventLog.Entry {
    fileprivate var event: DeviceEvent {
        var event = DeviceEvent(number: number, at: at, kind: .act)
        switch content {
        case .act(let act):
            event.details = act.details
            event.notification = act.notification
            event.app = act.app
        case .conditions(let conditions, let changed):
            event.kind = .conditionsChanged
            event.details = [
                "changed": .strings(changed), "values": .object(conditions.value.shortValues(of: changed)),
            ]
        case .settings(let settings, let app):
            event.kind = .settingsChanged
            event.app = app
            if settings == nil { event.details = ["reset": .bool(true)] }
        case .extended(let notification, let record):
            event.kind = .nseFinished
            event.notification = notification
            event.app = record.value.app
            event.details = record.value.details
        case .broadcast(let mark, let fate):
            (event.kind, event.details) = mark.value.event(fate)
            event.app = mark.value.channel.bundleID
        case .effect(let kind, let notification, let app, let details):
            event.kind = kind
            event.notification = notification
            event.app = app
            event.details = details
        }
        return event
    }
}

extension DeviceConditions {
    /// Focus modes and contacts can be long; the device itself has them.
    fileprivate func shortValues(of names: [String]) -> JSONObject {
        let fields = Self.fields.filter { names.contains($0.name) && $0.name != "focus" && $0.name != "contacts" }
        return JSONObject(fields.map { ($0.name, $0.write(self) ?? .null) })
    }
}

extension ExtensionRecord {
    var details: JSONObject {
        [
            "verdict": .string(verdict.rawValue), "rule": .string(rule), "end": .string(run.end.rawValue),
            "message": .string(sentence), "milliseconds": .integer(duration), "detail": .nonEmpty(run.detail),
            "peakMemoryBytes": run.peakMemoryByteCount.map { .integer($0) },
            "findings": run.findings.isEmpty ? nil : .strings(run.findings.map(\.id)),
        ]
    }
}

extension InboxEntry {
    private static let eventBits: [(Presentation, DeviceEvent.Kind)] = [
        (.banner, .banner), (.lockScreen, .lockScreen), (.notificationCenter, .notificationCenter),
        (.screenLit, .screenLit), (.sound, .sound), (.haptic, .haptic), (.announced, .announced), (.carPlay, .carPlay),
        (.provisionalPrompt, .prompt), (.timeSensitivePrompt, .prompt),
    ]

    private static let eventMask = eventBits.reduce(into: Presentation.badge) { mask, bit in mask.formUnion(bit.0) }

    var deliveryEventCount: UInt64 {
        guard state == .delivered, kind == .alert else {
            return state == .delivered && places.contains(.wokeApp) ? 2 : 1
        }
        var count = 1 + UInt64(presentation.count(of: Self.eventMask))
        if timing?.event != nil { count += 1 }
        if places.contains(.wokeApp) { count += 1 }
        return count
    }

    var lastEvent: UInt64 { deliveryEvent == 0 ? receivedEvent : deliveryEvent + deliveryEventCount - 1 }

    /// In order; their details come from the push.
    var deliveryEvents: [(kind: DeviceEvent.Kind, presentation: Presentation)] {
        switch state {
        case .accepted, .stored: return []
        case .discarded: return [(.discarded, [])]
        case .delivered: break
        }
        var events: [(kind: DeviceEvent.Kind, presentation: Presentation)] = [
            (timing == .notAllowed ? .backgroundPush : kind.event, [])
        ]
        if presentation.contains(.badge) { events.append((.badge, .badge)) }
        if let event = timing?.event { events.append((event, [])) }
        for (bit, kind) in Self.eventBits where presentation.contains(bit) { events.append((kind, bit)) }
        if places.contains(.wokeApp) { events.append((.appLaunch, [])) }
        return events
    }
}

extension Timing {
    /// nil when the presentation's events suffice.
    fileprivate var event: DeviceEvent.Kind? {
        switch self {
        case .foreground: .willPresent
        case .silencedByFocus: .silencedByFocus
        case .deferredToSummary: .deferredToSummary
        case .now, .quiet, .notAllowed, .nothingToShow: nil
        }
    }
}

extension PushType {
    /// The first event of a delivery of this type.
    fileprivate var event: DeviceEvent.Kind {
        switch self {
        case .alert: .contentDelivered
        case .background: .backgroundPush
        case .complication: .complication
        case .controls: .controls
        case .fileprovider: .fileProvider
        case .liveactivity: .liveActivity
        case .location: .locationQuery
        case .mdm: .mdm
        case .pushtotalk: .pushToTalk
        case .voip: .call
        case .widgets: .widgets
        }
    }
}
