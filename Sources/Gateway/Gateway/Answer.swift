package import APNs
package import DeviceSimulator
package import RequestWire
internal import Synchronization

/// An answer and the next action of its connection.
package struct Answer: Sendable {
    package var status: UInt16
    /// Used when the provider's `apns-id` cannot be echoed.
    package var apnsID: APNsID
    /// The bounds of the provider's `apns-id` in its request; echoed byte for byte.
    package var echo: FieldRange?
    /// `apns-unique-id`: of a push in the sandbox, and of every broadcast.
    package var uniqueID: APNsID?
    package var body: [UInt8]
    package var streamLimit: UInt32?
    /// The push that must be on disk before the answer is sent.
    package var pending: PendingPush?
    /// 0 while there is no record.
    package var record: UInt64 = 0
    package var fault: FaultFiring?
    /// nil for a push to a device.
    package var channel: ChannelHeaders?
}

/// A delivered push whose journal commit is outstanding.
package final class PendingPush: Sendable {
    package let position: UInt64
    let record: RequestRecord

    init(position: UInt64, record: RequestRecord) {
        self.position = position
        self.record = record
    }

    fileprivate func refused(_ rejection: APNsRejection) -> RequestRecord {
        var refused = record
        (refused.fault, refused.answer) = (nil, nil)
        if case .accepted(let push, _, _) = record.outcome {
            let undelivered = RequestRecord.UndeliveredRequest(
                request: push.request, apnsID: push.apnsID, payloadByteCount: push.payload.count)
            refused.outcome = .refused(undelivered, rejection)
        }
        if case .served(let request, _) = record.outcome { refused.outcome = .refused(request, rejection) }
        return refused
    }
}

extension ProviderConnection {
    package func finish(_ answer: Answer, _ outcome: JournalOutcome) -> Answer {
        guard let pending = answer.pending else { return answer }
        var answer = answer
        answer.pending = nil
        let rejection: APNsRejection?
        (answer.record, rejection) = gateway.record(pending, outcome)
        guard let rejection else {
            entry.accepted.add(1, ordering: .relaxed)
            return answer
        }
        entry.refused.add(1, ordering: .relaxed)
        answer.status = rejection.reason.status
        answer.body = rejection.body(settings.spelling)
        answer.uniqueID = answer.channel == nil ? answer.uniqueID : nil
        answer.fault = nil
        return answer
    }
}

extension Gateway {
    var unstored: APNsRejection {
        APNsRejection(unstored: keeper?.problem?.description ?? "the journal was temporarily unwritable")
    }

    /// Waits for a direct push to be committed, and records it.
    /// - Throws: When the push could not be stored.
    package func finish(_ pending: PendingPush) async throws(APNsRejection) {
        let outcome = await keeper?.awaitOutcome(of: pending.position) ?? .written
        if let rejection = record(pending, outcome).rejection { throw rejection }
    }

    fileprivate func record(
        _ pending: PendingPush, _ outcome: JournalOutcome
    ) -> (number: UInt64, rejection: APNsRejection?) {
        switch outcome {
        case .written: return (requestLog.append(pending.record), nil)
        case .lost:
            let rejection = unstored
            return (requestLog.append(pending.refused(rejection)), rejection)
        }
    }
}

extension APNsRejection {
    init(unstored reason: String) {
        self.init(.serviceUnavailable, "journal.unwritable", "The push could not be stored: \(reason).")
    }
}
