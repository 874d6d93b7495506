internal import APNs
internal import DeviceModel
internal import JSON

/// A push goes to its app's service extension and returns (C.1, C.3).
extension DeviceState {
    /// Gives a push to its extension; false when it is delivered unchanged.
    mutating func startExtension(
        _ arrival: Arrival, _ context: PolicyContext, at place: Int, _ now: Instant
    ) -> Bool {
        guard context.app.extension != nil,
            ExtensionCondition.unmet(by: arrival.kind, arrival.traits, in: context) == nil
        else { return false }
        inbox[place].enter(.accepted, arrival.push, at: now)
        extending.append(ExtendingPush(arrival: arrival, since: now))
        extended[arrival.sequence] = ExtendedPush(context: context)
        extensionTasks.append(ExtensionTask(arrival: arrival, context: context, at: now))
        emit(.nseStarted, arrival.sequence, app: arrival.bundleID, at: now)
        return true
    }

    /// Delivers a push that was with its extension; if the device is switched off, once it is on again.
    ///
    /// - Throws: `SimulatorError.noSuchNotification` when it was cleared meanwhile.
    mutating func finishExtension(
        of sequence: UInt64, _ record: Shared<ExtensionRecord>, at now: Instant, in catalog: AppCatalog
    ) throws(SimulatorError) {
        guard let waiting = extending.first(where: { $0.arrival.sequence == sequence }),
            extended[sequence]?.record == nil
        else { throw .noSuchNotification(sequence) }
        let arrival = waiting.arrival
        log(.extended(sequence, record), at: now)
        extended[sequence]?.record = record
        for donation in record.value.run.donations {
            emit(
                .donation, sequence, app: arrival.bundleID,
                donation.details(at: now, from: .extension, device: conditions.value), at: now)
        }
        if conditions.value.isPoweredOn { deliverExtended(arrival, record, at: now, in: catalog) }
    }

    /// Delivers what extensions returned while the device was off.
    mutating func deliverExtended(at now: Instant, in catalog: AppCatalog) {
        for waiting in extending {
            guard let record = extended[waiting.arrival.sequence]?.record else { continue }
            deliverExtended(waiting.arrival, record, at: now, in: catalog)
        }
    }

    private mutating func deliverExtended(
        _ arrival: Arrival, _ record: Shared<ExtensionRecord>, at now: Instant, in catalog: AppCatalog
    ) {
        let sequence = arrival.sequence
        extending.removeAll { $0.arrival.sequence == sequence }
        guard let place = inbox.index(of: sequence) else { return }
        // The policy applies the present context (C.4).
        let context = catalog.context(of: arrival.bundleID, on: self, like: inbox[place].context)
        inbox[place].context = context
        switch record.value.verdict {
        case .suppressed:
            emit(.suppressed, sequence, app: arrival.bundleID, ["rule": .string(record.value.rule)], at: now)
            discard(place, .suppressed, arrival.push, at: now)
        case .discarded: discard(place, .extensionDied, arrival.push, at: now)
        case .modified, .original:
            deliverAlert(arrival.with(record.value.content), context, at: place, now, in: catalog)
        }
    }

    func content(of sequence: UInt64, _ push: Push) -> NotificationContent { push.content(extended[sequence]?.record) }
}

extension Push {
    var digest: PayloadDigest { withPayload { PayloadDigest($0) } }
    var decoded: DecodedPayload { withPayload { DecodedPayload($0) } }

    /// The extension's content, else the payload's.
    func content(_ record: Shared<ExtensionRecord>?) -> NotificationContent {
        record?.value.content ?? decoded.content
    }
}

struct ExtendingPush {
    let arrival: Arrival
    let since: Instant
}

/// A push that went to its service extension.
struct ExtendedPush {
    /// At the request; the inbox entry has the context of the delivery.
    let context: PolicyContext
    /// What the extension did; nil while it has the push.
    var record: Shared<ExtensionRecord>?
}

struct ExtensionTask {
    let arrival: Arrival
    let context: PolicyContext
    let at: Instant
}

extension Arrival {
    /// - Parameter content: nil leaves the push unchanged.
    fileprivate func with(_ content: NotificationContent?) -> Arrival {
        guard let content else { return self }
        var changed = self
        changed.traits = content.traits
        // These address the system before any extension runs.
        changed.traits.isContentAvailable = traits.isContentAvailable
        changed.traits.isMutable = traits.isMutable
        return changed
    }
}
