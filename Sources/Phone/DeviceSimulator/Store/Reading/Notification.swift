package import APNs
package import DeviceModel
package import LiveModel
package import Time

/// A push in a device's inbox.
package struct Notification: Numbered {
    package let push: Push
    package let registration: Registration
    let item: InboxEntry
    private let record: Shared<ExtensionRecord>?
    private let shownLaterAt: Instant?
    /// When a stored push expires.
    let storedUntil: Instant?
    /// The outcome of a push that is neither an alert nor for a Live Activity; nil if its app declares nothing.
    package let service: ServiceResult?
    /// The device's decision about a Live Activity push.
    package let activity: ActivityDecision?

    init?(_ entry: LogEntry) {
        guard let push = entry.push, let registration = entry.registration else { return nil }
        let device = registration.device
        guard let index = device.state.inbox.index(of: entry.sequence) else { return nil }
        self.init(push, registration.snapshot, device.state.inbox[index], in: device.state)
    }

    /// A notification that is in no inbox.
    init(_ push: Push, _ registration: Registration, _ item: InboxEntry, in state: DeviceState) {
        (self.push, self.registration, self.item) = (push, registration, item)
        record = state.extended[item.sequence]?.record
        shownLaterAt = state.shownLater[item.sequence]
        storedUntil =
            item.state.kind == .stored
            ? state.stored.first { $0.arrival.sequence == item.sequence }?.expiresAt : nil
        (service, activity) = state.liveResults(of: item.sequence)
    }

    /// Whether an app on the device scheduled it; there is no request of a provider then.
    package var isLocal: Bool { push.isLocal }
    /// Ascends over all devices.
    package var sequence: UInt64 { item.sequence }
    package var number: UInt64 { sequence }
    /// The event of its arrival.
    package var receivedEvent: UInt64 { item.receivedEvent }
    package var state: DeliveryState { item.state }
    package var settledAt: Instant { item.settledAt(push) }
    /// When the person could first see it; nil if that was never, or not yet.
    package var shownAt: Instant? { item.isShownOnDelivery ? settledAt : shownLaterAt }
    /// Derived where the header is absent.
    package var kind: PushType { item.kind }
    /// As of the decision.
    package var context: PolicyContext { item.context }
    /// nil unless it is a delivered alert.
    package var outcome: InterruptionOutcome? { item.outcome }
    /// What became of it, in one word.
    package var pushOutcome: PushOutcome {
        let outcome = PushOutcome(item.state, item.timing, item.level, item.presentation)
        // A Live Activity's alert has no timing.
        return outcome == .other ? activity?.alert?.outcome ?? outcome : outcome
    }
    package var places: Places { item.places }
    package var category: NotificationCategory? { item.category }
    /// nil without a service extension, or while it runs.
    package var extensionRecord: ExtensionRecord? { isLocal ? nil : record?.value }
    /// Whether its service extension may still change the content: it runs, or the device has not received the push.
    package var awaitsExtension: Bool {
        guard state.isWaiting, record == nil, !isLocal, context.app.extension != nil else { return false }
        return ExtensionCondition.unmet(by: kind, push.digest.traits, in: context) == nil
    }
    package var device: String { registration.device }

    /// Decoded on each access.
    package var decoded: DecodedPayload { push.decoded }

    /// The service extension's content, else the payload's; decoded on each access.
    package var content: NotificationContent { push.content(record) }

    /// The content with its texts in the device's language.
    package var localizedContent: NotificationContent {
        content.localized(in: context)
    }

    /// `request.identifier`: the collapse identifier, else a generated one.
    package var identifier: String { push.collapseID ?? DeviceState.generatedIdentifier(sequence) }

    package var isUnderFocus: Bool { item.isUnderFocus }

    /// The text that Siri reads out on headphones, a HomePod or in the car; nil if it reads nothing.
    package var spokenText: String? {
        guard item.presentation.contains(.announced) || item.presentation.contains(.carPlayRead) else { return nil }
        return item.spokenText(content)
    }

    /// The contact with its sender's name, for the person to confirm (S0-32).
    package func suggestion(on device: DeviceConditions) -> ContactAssociation? {
        guard outcome?.isCommunication == true, let sender = content.communication?.sender else { return nil }
        return PersonMatch(sender, in: device, bundleID: context.app.bundleID).suggestion
    }

    /// The decision, recomputed to show every rule tried; nil when there was none, as for a background push.
    package var explanation: Explanation? {
        item.inputs(push, record?.value).map { explain($0) }
    }

    /// Every rule tried, and the index of the deciding one.
    package var reasons: (trace: [TraceStep], decidedBy: Int)? {
        if let trace = activity?.trace { return (trace.steps, trace.decisive) }
        if let explanation { return (explanation.trace, explanation.decidedBy) }
        return service.map { result in
            let trace = ServiceRules.trace(kind, result.facts)
            return (trace, trace.count - 1)
        }
    }
}

extension AlertOutcome {
    fileprivate var outcome: PushOutcome {
        guard let suppressedBy else { return .alerted }
        return suppressedBy == "focus" ? .quiet : .other
    }
}

extension InboxEntry {
    var isShownOnDelivery: Bool { state == .delivered && presentation.hasAny(of: .surfaces) }

    var outcome: InterruptionOutcome? {
        guard let timing else { return nil }
        var outcome = InterruptionOutcome()
        outcome.level = level
        outcome.timing = timing
        outcome.presentation = presentation.subtracting(.soundless)
        outcome.isCommunication = places.contains(.communication)
        return outcome
    }

    func inputs(_ push: Push, _ record: ExtensionRecord?) -> InterruptionInputs? {
        guard timing != nil || state == .discarded(.disabled) else { return nil }
        let traits = record?.content?.traits ?? push.digest.traits
        var inputs = InterruptionInputs(content: traits, context: context)
        inputs.isTimeSensitiveIntroduced = !presentation.contains(.timeSensitivePrompt)
        inputs.isProvisionalIntroduced = !presentation.contains(.provisionalPrompt)
        if places.contains(.repeatedCall) { inputs.sinceLastCall = 0 }
        return inputs
    }
}
