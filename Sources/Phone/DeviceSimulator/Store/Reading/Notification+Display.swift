internal import APNs
package import DeviceModel
internal import JSON
package import LiveModel
internal import Synchronization
package import Time

/// How the person sees a notification.
extension Notification {
    /// Whether anything of it is shown, heard or listed.
    package var isShown: Bool {
        guard let timing = outcome?.timing else { return false }
        return timing != .notAllowed && timing != .nothingToShow
    }

    /// Whether a scheduled summary delivered it.
    package var isSummarized: Bool { outcome?.timing == .deferredToSummary && !places.contains(.nextSummary) }

    var summaryItem: SummaryItem { SummaryItem(content, sequence: sequence, app: context.app.bundleID) }

    /// The attachment whose thumbnail it shows.
    package var thumbnail: NotificationAttachment? {
        content.attachments.first { attachment in
            let family = AttachmentType(ofFileNamed: "", hint: attachment.type)?.family
            return attachment.sha256 != nil && family != .audio && attachment.options?.thumbnailHidden != true
        }
    }

    /// As of the decision.
    package var displayed: DisplayedText { displayed(on: context.device, settings: context.settings) }

    /// - Parameter count: Size of the stack, for placeholders.
    func displayed(on device: DeviceConditions, settings: NotificationSettings, count: Int = 1) -> DisplayedText {
        let (app, content) = (context.app, content)
        let communication = content.communication.map {
            CommunicationDisplay(
                of: $0, appName: app.displayName, language: SystemLanguage(locale: device.locale),
                assumptions: context.assumptions)
        }
        return DisplayedText(
            content, app: app, device: device, settings: settings, level: outcome?.level ?? .active,
            communication: outcome?.isCommunication == true ? communication : nil, count: count)
    }
}

/// What became of a notification, in words.
extension Notification {
    /// The outcome in one line.
    package var sentence: String {
        let failure = extensionRecord.flatMap { $0.verdict == .original ? " · extension: \($0.sentence)" : nil }
        let outcome = why.hasSuffix(".") ? String(why.dropLast()) : why
        return "\(registration.topic) → \(device) · \(outcome)\(failure ?? "") (notification \(sequence))"
    }

    /// The outcome and its reason, on one line.
    package var why: String {
        if let activity { return activity.sentence }
        if kind == .background, state == .delivered, !places.contains(.wokeApp) {
            return "The app, which is in the foreground, receives it."
        }
        if let outcome = outcome ?? explanation?.outcome {
            return outcome.sentence(focus: context.device.focus.activeMode?.shownName)
        }
        if let service { return service.sentence }
        if let record = extensionRecord, [.suppressed, .extensionDied].contains(state.discardReason) {
            return record.sentence
        }
        if let reason = state.holdReason, let storedUntil {
            let end = storedUntil.text
            return "\(reason.sentencePart); expires \(end.prefix(10)) \(end.dropFirst(11).prefix(5)) UTC."
        }
        if state == .delivered { return kind.effect }
        guard state == .accepted, let extensionProgress else { return "\(deliveryLogText)." }
        return extensionProgress.state == .finished
            ? "The app's service extension has finished, and the device is off, so nothing is shown yet."
            : "The app's service extension has it, so nothing is shown yet."
    }

    /// The console's words; none are established for a push that could not wait for a device that was reachable.
    private var deliveryLogText: String {
        let device = context.device
        guard state == .discarded(.notStored), device.isPoweredOn, device.isOnline else { return state.deliveryLogText }
        let cause = device.isSavingPower ? "the device saves power" : "the device's screen is off"
        return "Discarded – Not Stored: \(cause)"
    }

    /// As `why`; a background push that woke its app says how often it was woken within an hour.
    package var whyInFull: String {
        guard let number = item.wakeNumber else { return why }
        return "\(why.dropLast()), \(number) of \(context.assumptions.backgroundBudget) this hour."
    }

    /// Its states in the wording of the delivery log in Apple's Push Notifications Console.
    package func deliveryLog(_ events: [DeviceEvent]) -> [(at: Instant, text: String)] {
        var log = [(at: push.receivedAt, text: DeliveryState.accepted.deliveryLogText)]
        for event in events where event.kind == .stored {
            guard case .string(let word) = event.details["reason"], let reason = HoldReason(rawValue: word) else {
                continue
            }
            log.append((event.at, DeliveryState.stored(reason).deliveryLogText))
        }
        switch state {
        case .accepted, .stored: break
        case .delivered, .discarded:
            // APNs had delivered what an extension finished.
            let text = extensionRecord == nil ? deliveryLogText : DeliveryState.delivered.deliveryLogText
            log.append((settledAt, text))
        }
        return log
    }
}

extension DeviceSimulator {
    /// What a push made of its Live Activity; nil if nothing shows it. The attributes are those of now.
    package func activityCard(of notification: Notification) -> ActivitySurfaces.Card? {
        guard let decision = notification.activity, let payload = JSONValue(notification.push.payload.span.bytes) else {
            return nil
        }
        let attributes = store.withLock { store in
            store.devices[notification.device]?.state.live.activities.activities.first { $0.id == decision.activity }?
                .attributes
        }
        return ActivitySurfaces.Card(decision, payload, attributes: attributes, in: notification.context)
    }

    package func events(of notification: Notification) -> [DeviceEvent] {
        events(EventQuery(device: notification.device, notification: notification.sequence, limit: 1000)).items
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

/// How far a notification is at its app's service extension.
package struct ExtensionProgress: Sendable {
    package enum State: String, CaseIterable, Codable, Sendable { case running, waiting, notRun, notEmployed, finished }

    package var state: State
    package var rule: String?
    package var message: String?
    package var source: String?
}

extension Notification {
    /// nil if the notification calls no extension.
    package var extensionProgress: ExtensionProgress? {
        if let record = extensionRecord {
            return ExtensionProgress(
                state: .finished, rule: record.rule, message: record.sentence, source: record.source)
        }
        guard context.app.extension != nil || content.isMutable, kind == .alert else { return nil }
        if state == .accepted { return ExtensionProgress(state: .running) }
        let digest = PayloadDigest(push.payload.span.bytes)
        if let unmet = ExtensionCondition.unmet(by: kind, digest.traits, in: context) {
            return ExtensionProgress(
                state: .notEmployed, rule: unmet.rawValue, message: unmet.whyNot, source: unmet.source)
        }
        let (word, message): (ExtensionProgress.State, String) =
            switch state {
            case .delivered: (.notRun, "A preview runs no extension; the original content is shown.")
            case .discarded: (.notRun, "The push was discarded before the extension answered.")
            case .accepted, .stored: (.waiting, "The device has not received the push yet.")
            }
        return ExtensionProgress(state: word, message: message)
    }
}
