internal import APNs
internal import DeviceModel
internal import JSON

/// The source of consecutive events, which are built outside the lock.
enum EventRecord {
    case received(InboxEntry, Push)
    case delivery(InboxEntry, Push, Shared<ExtensionRecord>?)
    case eventLog(EventLog.Entry)

    var numbers: ClosedRange<UInt64> {
        switch self {
        case .received(let item, _): item.receivedEvent...item.receivedEvent
        case .delivery(let item, _, _): item.deliveryEvent...item.lastEvent
        case .eventLog(let entry): entry.number...entry.number
        }
    }

    var events: [DeviceEvent] {
        switch self {
        case .received(let item, let push):
            [
                DeviceEvent(
                    number: item.receivedEvent, at: push.receivedAt, kind: .received,
                    notification: item.sequence, app: item.bundleID,
                    details: [
                        "pushType": .string(item.kind.name), "priority": .integer(Int(push.priority.rawValue)),
                        "apnsUniqueId": .string(push.uniqueID.text(.lower)),
                    ])
            ]
        case .delivery(let item, let push, let content): Self.deliveryEvents(item, push, content)
        case .eventLog(let entry): [entry.event]
        }
    }

    private static func deliveryEvents(
        _ item: InboxEntry, _ push: Push, _ changed: Shared<ExtensionRecord>?
    ) -> [DeviceEvent] {
        let at = item.settledAt(push)
        let content = push.content(changed).localized(
            app: item.context.app, locale: item.context.device.locale)
        return item.deliveryEvents.enumerated().map { index, event in
            DeviceEvent(
                number: item.deliveryEvent + UInt64(index), at: at, kind: event.kind,
                notification: item.sequence, app: item.bundleID, details: item.details(of: event, content))
        }
    }
}

extension InboxEntry {
    fileprivate func details(
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
        case .willPresent:
            return [
                "options": .array((context.app.presentationOptions ?? []).map { .string($0.rawValue) })
            ]
        case .prompt:
            let prompt: Prompt = event.presentation == .provisionalPrompt ? .provisional : .timeSensitiveIntro
            return prompt.details(isSummaryOn: context.device.summary.isEnabled)
        case .announced: return ["text": .string(spokenText(content))]
        case .carPlay:
            let isRead = self.presentation.contains(.carPlayRead)
            return isRead ? ["isRead": .bool(true), "text": .string(spokenText(content))] : ["isRead": .bool(false)]
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
        let choices = choices(isSummaryOn: isSummaryOn)
        return ["kind": .string(rawValue), "choices": .array(choices.map { .string($0.rawValue) })]
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
        case .conditions(_, let changed):
            event.kind = .conditionsChanged
            event.details = ["changed": .array(changed.map { .string($0) })]
        case .settings(let settings, let app):
            event.kind = .settingsChanged
            event.app = app
            if settings == nil { event.details = ["reset": .bool(true)] }
        case .extended(let notification, let record):
            event.kind = .nseFinished
            event.notification = notification
            event.app = record.value.app
            event.details = record.value.details
        case .effect(let kind, let notification, let app, let details):
            event.kind = kind
            event.notification = notification
            event.app = app
            event.details = details
        }
        return event
    }
}

extension ExtensionRecord {
    var details: JSONObject {
        var details: JSONObject = [
            "verdict": .string(verdict.rawValue), "rule": .string(rule), "end": .string(run.end.rawValue),
            "message": .string(sentence), "milliseconds": .integer(Int(clamping: duration)),
        ]
        if !run.detail.isEmpty { details["detail"] = .string(run.detail) }
        if let peak = run.peakMemoryByteCount { details["peakMemoryBytes"] = .integer(peak) }
        if !run.findings.isEmpty { details["findings"] = .array(run.findings.map { .string($0.id) }) }
        return details
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
        guard state == .delivered, kind == .alert else { return kind == .background && state == .delivered ? 2 : 1 }
        var count = 1 + UInt64(presentation.count(of: Self.eventMask))
        if timing?.event != nil { count += 1 }
        if places.contains(.wokeApp) { count += 1 }
        return count
    }

    var lastEvent: UInt64 {
        deliveryEvent == 0 ? receivedEvent : deliveryEvent + deliveryEventCount - 1
    }

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
