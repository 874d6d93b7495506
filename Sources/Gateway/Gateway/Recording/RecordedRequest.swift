internal import APNs
internal import DeviceSimulator
internal import FoundationEssentials
internal import RequestWire
internal import Time

/// A request and its answer in a recording, without `authorization`.
package struct RecordedRequest: Codable, Sendable {
    package var number: UInt64
    /// How many inputs preceded it.
    var inputCount: Int
    var receivedAt: Instant
    var connection: UInt32
    var environment: APNsEnvironment
    var authentication: RequestRecord.Authentication
    var outcome: Outcome
    var fault: FaultMark?
    var delayedAnswer: DelayedAnswer?
    package var answer: RecordedAnswer

    /// As in `RequestRecord`; an accepted push is an input.
    enum Outcome: Codable {
        case accepted(notification: UInt64)
        case refused(
            RequestRecord.UndeliveredRequest, reason: APNsReason, timestamp: Instant?, diagnosis: Diagnosis)
        case served(RequestRecord.UndeliveredRequest, result: RequestRecord.ServedRequest)
        case handledByFault(RequestRecord.UndeliveredRequest)
        case oversized(apnsID: String)
    }

    init(_ record: RequestRecord, number: UInt64, inputCount: Int, _ spelling: APNsReason.Spelling) {
        (self.number, self.inputCount, receivedAt) = (number, inputCount, record.receivedAt)
        (connection, environment, authentication) = (record.connection, record.environment, record.authentication)
        (fault, delayedAnswer) = (record.fault, record.answer)
        answer = RecordedAnswer(record, spelling)
        outcome =
            switch record.outcome {
            case .accepted(_, _, let number): .accepted(notification: number)
            case .refused(let request, let rejection):
                .refused(
                    request, reason: rejection.reason, timestamp: rejection.timestamp, diagnosis: rejection.diagnosis)
            case .served(let request, let result): .served(request, result: result)
            case .handledByFault(let request): .handledByFault(request)
            case .oversized(let apnsID): .oversized(apnsID: apnsID.text(.upper))
            }
    }

    /// - Parameter push: nil for a push that came before the recording, or that no device received.
    func record(_ push: (push: Push, registration: Registration)?) -> RequestRecord {
        let outcome: RequestRecord.Outcome =
            switch self.outcome {
            case .accepted(let number):
                push.map { .accepted(push: $0.push, registration: $0.registration, notification: number) }
                    ?? .oversized(APNsID(recorded: ""))
            case .refused(let request, let reason, let timestamp, let diagnosis):
                .refused(request, APNsRejection(reason, diagnosis.code, diagnosis.message, timestamp: timestamp))
            case .served(let request, let result): .served(request, result)
            case .handledByFault(let request): .handledByFault(request)
            case .oversized(let apnsID): .oversized(APNsID(recorded: apnsID))
            }
        return RequestRecord(
            receivedAt: receivedAt, connection: connection, environment: environment, authentication: authentication,
            outcome: outcome, fault: fault, answer: delayedAnswer)
    }
}

package struct RecordedAnswer: Codable, Sendable, Hashable {
    /// nil if there was no answer.
    var status: UInt16?
    /// Empty unless the gateway itself rejected the request.
    var body: String

    init(status: UInt16?, _ rejection: APNsRejection?, _ spelling: APNsReason.Spelling) {
        self.status = status
        body = rejection.map { String(decoding: $0.body(spelling), as: UTF8.self) } ?? ""
    }

    init(_ record: RequestRecord, _ spelling: APNsReason.Spelling) {
        var rejection: APNsRejection?
        if case .refused(_, let reason) = record.outcome, record.fault == nil { rejection = reason }
        self.init(status: record.status, rejection, spelling)
    }
}

/// Headers as text, and the payload as received.
extension RequestRecord.UndeliveredRequest: Codable {
    private struct Coded: Codable {
        var headers: [[String]]
        var payload: Data
        var payloadByteCount: Int
        var apnsID: String
    }

    package init(from decoder: any Decoder) throws {
        let coded = try Coded(from: decoder)
        let fields = coded.headers.map { (name: $0.first ?? "", value: $0.last ?? "") }
        let block = RequestBlock(fields: fields, body: Array(coded.payload))
        self.init(
            request: PackedRequest(packing: block, token: nil), apnsID: APNsID(recorded: coded.apnsID),
            payloadByteCount: coded.payloadByteCount)
    }

    package func encode(to encoder: any Encoder) throws {
        try Coded(
            headers: request.fields(token: nil).map { [$0.name, $0.value] }, payload: Data(request.payload),
            payloadByteCount: payloadByteCount, apnsID: apnsID.text(.upper)
        ).encode(to: encoder)
    }
}

extension APNsID {
    /// All zeros for a text that is no UUID.
    fileprivate init(recorded text: String) {
        self = APNsID(Array(text.utf8).span.bytes) ?? APNsID(high: 0, low: 0)
    }
}
