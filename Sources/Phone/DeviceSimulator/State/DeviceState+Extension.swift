internal import APNs
internal import DeviceModel
internal import JSON
internal import SiriModel
internal import Time

/// A push goes to its app's service extension and returns (C.1, C.3).
extension DeviceState {
    /// Returns false when the push is delivered unchanged.
    mutating func startExtension(_ arrival: Arrival, _ context: PolicyContext, at index: Int, _ now: Moment) -> Bool {
        guard context.app.extension != nil,
            ExtensionCondition.unmet(by: arrival.kind, arrival.traits, in: context) == nil
        else { return false }
        inbox[index].enter(.accepted, arrival.push, at: now.time)
        let task = ExtensionTask(arrival: arrival, context: context, since: now.time)
        extending.append(task)
        effects.append(.extending(task))
        extended[arrival.sequence] = ExtendedPush(context: context)
        emit(.nseStarted, arrival.sequence, app: arrival.bundleID, at: now)
        return true
    }

    /// Delivers a push that its extension finished; if the device is off, once it is on again.
    ///
    /// - Throws: `SimulatorError.noSuchNotification` when the notification was cleared meanwhile.
    mutating func finishExtension(
        of sequence: UInt64, _ record: Shared<ExtensionRecord>, at now: Moment
    ) throws(SimulatorError) {
        guard let waiting = extending.first(where: { $0.arrival.sequence == sequence }),
            extended[sequence]?.record == nil
        else { throw .noSuchNotification(sequence) }
        let arrival = waiting.arrival
        log(.extended(sequence, record), at: now)
        extended[sequence]?.record = record
        if let index = inbox.index(of: sequence) { touch(index, at: now) }
        if conditions.value.isPoweredOn { deliverExtended(arrival, record, at: now) }
    }

    /// Delivers a push unchanged although its extension should have it: a preview runs none.
    mutating func skipExtension(of sequence: UInt64, at now: Moment) {
        guard let waiting = extending.first(where: { $0.arrival.sequence == sequence }),
            let index = inbox.index(of: sequence)
        else { return }
        removePending(sequence)
        extended[sequence] = nil
        deliverAlert(waiting.arrival, waiting.context, at: index, now)
    }

    mutating func deliverExtended(at now: Moment) {
        for waiting in extending {
            guard let record = extended[waiting.arrival.sequence]?.record else { continue }
            deliverExtended(waiting.arrival, record, at: now)
        }
    }

    private mutating func deliverExtended(_ arrival: Arrival, _ record: Shared<ExtensionRecord>, at now: Moment) {
        let sequence = arrival.sequence
        removePending(sequence)
        guard let index = inbox.index(of: sequence) else { return }
        touch(index, at: now)
        // The policy applies to the current context (C.4).
        let context = now.catalog.context(of: arrival.bundleID, on: self, like: inbox[index].context)
        inbox[index].context = context
        let calls = record.value.run.donationCalls
        if !calls.isEmpty {
            carryOut(at: now, of: sequence) { state, context, effects in
                for call in calls { state.siri.take(call, by: arrival.bundleID, context, &effects) }
            }
        }
        switch record.value.verdict {
        case .suppressed:
            emit(.suppressed, sequence, app: arrival.bundleID, ["rule": .string(record.value.rule)], at: now)
            discard(index, .suppressed, arrival.push, at: now)
            wakeUnshown(arrival, context, at: now)
        case .discarded:
            discard(index, .extensionDied, arrival.push, at: now)
            wakeUnshown(arrival, context, at: now)
        case .modified, .original: deliverAlert(arrival.with(record.value.content), context, at: index, now)
        }
    }

    func content(of sequence: UInt64, _ push: Push) -> NotificationContent { push.content(extended[sequence]?.record) }
}

extension Push {
    var digest: PayloadDigest { withPayload { PayloadDigest($0) } }
    var decoded: DecodedPayload { withPayload { DecodedPayload($0) } }

    func content(_ record: Shared<ExtensionRecord>?) -> NotificationContent { record?.value.content ?? decoded.content }
}

struct ExtendedPush {
    /// As of the request; the inbox entry has the context of the delivery.
    let context: PolicyContext
    /// nil while the extension has the push.
    var record: Shared<ExtensionRecord>?
}

/// A push at its service extension.
struct ExtensionTask {
    let arrival: Arrival
    /// As of the request.
    let context: PolicyContext
    let since: Instant
}

extension Arrival {
    fileprivate func with(_ content: NotificationContent?) -> Arrival {
        guard let content else { return self }
        var changed = self
        changed.traits = content.traits
        // The system reads these before any extension runs.
        changed.traits.isContentAvailable = traits.isContentAvailable
        changed.traits.isMutable = traits.isMutable
        return changed
    }
}
