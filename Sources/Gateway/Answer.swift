package import APNs
package import DeviceSimulator
internal import Synchronization
package import Wire

/// The answer to a request, and what its connection does next.
package struct Answer: Sendable {
    package var status: UInt16
    /// `apns-id`, when the provider sent none that could be echoed.
    package var apnsID: APNsID
    /// Where the provider's own `apns-id` lies in its request; echoed byte for byte.
    package var echo: FieldRange?
    /// `apns-unique-id`; the sandbox only.
    package var uniqueID: APNsID?
    /// JSON; empty on success.
    package var body: [UInt8]
    /// A new limit of concurrent streams to announce.
    package var streamLimit: UInt32?
    /// The push that must be on disk before this may be sent.
    package var pending: PendingPush?
    /// The number of its record; 0 while there is none.
    package var record: UInt64 = 0
    package var fault: FaultFiring?
}

/// A push that its device has, but whose commit is not known yet.
package final class PendingPush: Sendable {
    /// Its position in the journal.
    package let position: UInt64
    let record: RequestRecord

    init(position: UInt64, record: RequestRecord) {
        self.position = position
        self.record = record
    }

    /// The record of a push that could not be stored.
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
    /// Records a pending push and completes its answer.
    package func finish(_ answer: Answer, _ outcome: JournalOutcome) -> Answer {
        guard let pending = answer.pending else { return answer }
        var answer = answer
        answer.pending = nil
        switch outcome {
        case .written:
            entry.accepted.add(1, ordering: .relaxed)
            answer.record = gateway.requestLog.append(pending.record)
        case .lost:
            let rejection = gateway.unstored
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
    /// The rejection of a push that could not be stored.
    var unstored: APNsRejection {
        APNsRejection(unstored: keeper?.problem?.description ?? "the journal was temporarily unwritable")
    }

    /// Waits for the commit of a push by hand, and records the push.
    ///
    /// - Throws: The rejection of a push that could not be stored.
    package func finish(_ pending: PendingPush) async throws(APNsRejection) {
        try finish(pending, await keeper?.awaitOutcome(of: pending.position) ?? .written)
    }

    /// Records a push by hand whose commit is known.
    func finish(_ pending: PendingPush, _ outcome: JournalOutcome) throws(APNsRejection) {
        switch outcome {
        case .written: requestLog.append(pending.record)
        case .lost:
            let rejection = unstored
            requestLog.append(pending.refused(rejection))
            throw rejection
        }
    }
}

extension APNsRejection {
    init(unstored reason: String) {
        self.init(.serviceUnavailable, Diagnosis("journal.unwritable", "The push could not be stored: \(reason)."))
    }
}
