package import APNs
package import DeviceModel

/// A push in a device's inbox.
package struct Notification: Sendable {
    /// Its number, greater than those of all notifications received before, on whatever device.
    package let sequence: UInt64
    /// What the provider sent.
    package let push: Push
    /// The token it came by; the status is that of the time of asking.
    package let registration: Registration
    /// How far it has come.
    package let state: DeliveryState
    /// When it came there.
    package let settledAt: Instant
    /// What kind of push it is, filled in where the header was absent.
    package let kind: PushType
    /// What surrounded the decision about it: device, app, settings.
    package let context: PolicyContext
    /// What was decided; nil unless it is a delivered alert.
    package let outcome: InterruptionOutcome?
    /// Where it can be seen now.
    package let places: Places
    /// The category it was delivered with; nil when the app had registered none of the name.
    package let category: NotificationCategory?
    /// What its service extension did; nil when there was none to ask, or it is not done yet.
    package var extensionRecord: ExtensionRecord? { record?.value }
    let item: InboxEntry
    private let record: Shared<ExtensionRecord>?

    init?(_ entry: LogEntry) {
        guard let push = entry.push, let registration = entry.registration else { return nil }
        let inbox = registration.device.state.inbox
        guard let place = inbox.index(of: entry.sequence) else { return nil }
        let item = inbox[place]
        sequence = entry.sequence
        self.push = push
        self.registration = registration.snapshot
        self.item = item
        state = item.state
        settledAt = item.settledAt(push)
        kind = item.kind
        context = item.context
        outcome = item.outcome
        places = item.places
        category = item.category
        record = registration.device.state.extended[entry.sequence]?.record
    }

    /// The device's name.
    package var device: String { registration.device }

    /// The payload as the device understands it; decoded anew each time.
    package var decoded: DecodedPayload { DecodedPayload(push.payload.span.bytes) }

    /// What is delivered: what the service extension handed over, else what the payload says; made anew each time.
    package var content: NotificationContent { push.content(record) }

    /// What `request.identifier` is: the collapse identifier, else a name of its own.
    package var identifier: String { push.collapseID ?? DeviceState.madeIdentifier(sequence) }

    /// Whether it is in the lock screen's section "While in Focus".
    package var isUnderFocus: Bool { item.isUnderFocus }

    /// What Siri says of it to headphones, on a HomePod or in the car; nil when nobody reads it out.
    package var spokenText: String? {
        guard item.presentation.contains(.announced) || item.presentation.contains(.carPlayRead) else { return nil }
        return item.spokenText(content)
    }

    /// Whom among a device's contacts its sender might be, by the name alone: for the person to confirm (S0-32).
    package func suggestion(on device: DeviceConditions) -> ContactAssociation? {
        guard outcome?.isCommunication == true, let sender = content.communication?.sender else { return nil }
        return PersonMatch(sender, in: device, bundleID: context.app.bundleID).suggestion
    }

    /// Why the person saw what they saw, or saw nothing: the decision made again, with every rule tried; nil when there was
    /// nothing to decide, as for a push that is no alert.
    package var explanation: (outcome: InterruptionOutcome, trace: [TraceStep])? {
        item.inputs(push, record?.value).map { explain($0) }
    }

    /// The rules of `explanation`.
    package var trace: [TraceStep]? { explanation?.trace }
}

extension InboxEntry {
    /// What was decided.
    var outcome: InterruptionOutcome? {
        guard let timing else { return nil }
        var outcome = InterruptionOutcome()
        outcome.level = level
        outcome.timing = timing
        outcome.presentation = presentation
        outcome.isCommunication = places.contains(.communication)
        return outcome
    }

    /// What was decided about.
    func inputs(_ push: Push, _ record: ExtensionRecord?) -> InterruptionInputs? {
        guard timing != nil || state == .discarded(.disabled) else { return nil }
        let traits = record?.content?.traits ?? PayloadDigest(push.payload.span.bytes).traits
        var inputs = InterruptionInputs(
            content: traits, circumstances: context, now: settledAt(push))
        inputs.isTimeSensitiveIntroduced = !presentation.contains(.timeSensitivePrompt)
        inputs.isProvisionalIntroduced = !presentation.contains(.provisionalPrompt)
        if places.contains(.repeatedCall) { inputs.sinceLastCall = 0 }
        return inputs
    }
}
