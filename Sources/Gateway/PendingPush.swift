package import APNs
package import DeviceSimulator
internal import Synchronization

/// A push that a device has, but that is not on disk yet: it is accepted, or refused, once that is known.
package final class PendingPush: Sendable {
    /// Where it stands in the journal.
    package let position: UInt64
    let record: RequestRecord

    init(position: UInt64, record: RequestRecord) {
        self.position = position
        self.record = record
    }

    /// The record of a push that could not be kept.
    func refused(_ rejection: APNsRejection) -> RequestRecord {
        var refused = record
        (refused.fault, refused.answer) = (nil, nil)
        if case .accepted(let push, _, _) = record.outcome {
            refused.outcome = .refused(
                RequestRecord.Refusal(
                    request: push.request, apnsID: push.apnsID, rejection: rejection,
                    payloadByteCount: push.payload.count))
        }
        return refused
    }
}

extension ProviderConnection {
    /// The answer to a push, now that it is known whether it could be kept; the request log hears of it here.
    ///
    /// - Parameter answer: What `answer` gave, with a push that was pending.
    package func settle(_ answer: Answer, _ outcome: JournalOutcome) -> Answer {
        guard let pending = answer.pending else { return answer }
        var answer = answer
        answer.pending = nil
        switch outcome {
        case .written:
            entry.accepted.add(1, ordering: .relaxed)
            answer.record = gateway.requestLog.append(pending.record)
        case .lost:
            let rejection = gateway.unkept
            entry.refused.add(1, ordering: .relaxed)
            answer.record = gateway.requestLog.append(pending.refused(rejection))
            answer.status = rejection.reason.status
            answer.body = rejection.body(settings.spelling)
            answer.fault = nil
        }
        return answer
    }
}

extension Gateway {
    /// The refusal of what could not be kept.
    var unkept: APNsRejection {
        APNsRejection(unkept: keeper?.problem?.description ?? "the journal was temporarily unwritable")
    }

    /// Waits until it is known whether a push by hand could be kept.
    ///
    /// - Throws: Why it is refused, if it could not.
    package func settle(_ pending: PendingPush) async throws(APNsRejection) {
        try record(pending, await keeper?.awaitOutcome(of: pending.position) ?? .written)
    }

    /// Records a push by hand, now that it is known whether it could be kept.
    ///
    /// - Throws: Why it is refused, if it could not.
    func record(_ pending: PendingPush, _ outcome: JournalOutcome) throws(APNsRejection) {
        switch outcome {
        case .written: requestLog.append(pending.record)
        case .lost:
            let rejection = unkept
            requestLog.append(pending.refused(rejection))
            throw rejection
        }
    }
}

extension APNsRejection {
    /// The refusal of a push that could not be kept.
    init(unkept reason: String) {
        self.init(.serviceUnavailable, Diagnosis("journal.unwritable", "The push could not be stored: \(reason)."))
    }
}
