internal import APNs
internal import DeviceSimulator
internal import FoundationEssentials
internal import Wire

/// A request and its answer in a recording, without `authorization`.
package struct RecordedRequest: Codable, Sendable {
    package var number: UInt64
    /// How many inputs came before it.
    var inputCount: Int
    var receivedAt: Instant
    var connection: UInt32
    var environment: APNsEnvironment
    var authentication: RequestRecord.Authentication
    /// Of an accepted push, which is an input.
    var notification: UInt64?
    /// nil for an accepted push, and for one whose header list was too large to read.
    var request: Content?
    var apnsID: String
    var rejection: Rejection?
    var served: RequestRecord.ServedRequest?
    var fault: Fault?
    var delay: Delay?
    var answer: RecordedAnswer

    private enum CodingKeys: String, CodingKey {
        case number, inputCount, receivedAt, connection, environment, authentication, notification, request
        case apnsID = "apnsId"
        case rejection, served, fault, delay, answer
    }

    struct Content: Codable {
        struct HeaderField: Codable {
            var name: String
            var value: String
        }

        var headers: [HeaderField]
        var payload: Data
        /// As sent; `payload` may be shorter.
        var payloadByteCount: Int

        var block: RequestBlock {
            RequestBlock(
                fields: headers.map { ($0.name, $0.value) }, body: Array(payload), bodyByteCount: payloadByteCount)
        }
    }

    struct Rejection: Codable {
        var reason: APNsReason
        var timestamp: Instant?
        var diagnosis: Diagnosis
    }

    struct Fault: Codable {
        var rule: String
        var status: UInt16?
        var reason: String?
    }

    struct Delay: Codable {
        var fate: DelayedAnswer.Fate
        var at: Instant
    }
}

/// What a provider was answered.
package struct RecordedAnswer: Codable, Sendable, Hashable {
    /// nil if there was no answer.
    package var status: UInt16?
    /// Empty unless the gateway rejected the request.
    package var body: String

    init(_ rejection: APNsRejection?, status: UInt16?, _ spelling: APNsReason.Spelling) {
        self.status = status
        body = rejection.map { String(decoding: $0.body(spelling), as: UTF8.self) } ?? ""
    }
}

extension RecordedRequest {
    init(_ record: RequestRecord, inputCount: Int, _ spelling: APNsReason.Spelling) {
        var rejection: APNsRejection?
        let apnsID: APNsID
        switch record.outcome {
        case .accepted(let push, _, let number):
            notification = number
            apnsID = push.apnsID
        case .refused(let request, let reason):
            rejection = reason
            apnsID = request.apnsID
        case .served(let request, let served):
            self.served = served
            apnsID = request.apnsID
        case .handledByFault(let request): apnsID = request.apnsID
        case .oversized(let id): apnsID = id
        }
        request = record.outcome.undelivered.map(Content.init)
        self.apnsID = apnsID.text(.upper)
        self.rejection = rejection.map {
            Rejection(reason: $0.reason, timestamp: $0.timestamp, diagnosis: $0.diagnosis)
        }
        (number, self.inputCount, receivedAt) = (record.number, inputCount, record.receivedAt)
        (connection, environment) = (record.connection, record.environment)
        authentication = record.authentication
        fault = record.fault.map { Fault(rule: $0.rule, status: $0.status, reason: $0.reason) }
        delay = record.answer.map { Delay(fate: $0.fate, at: $0.at) }
        answer = RecordedAnswer(record.fault == nil ? rejection : nil, status: record.status, spelling)
    }

    /// - Parameter push: What the request became, if it was accepted.
    func record(_ push: (push: Push, registration: Registration)?) -> RequestRecord {
        let id = APNsID(Array(apnsID.utf8).span.bytes) ?? APNsID(high: 0, low: 0)
        let undelivered = request.map { content in
            RequestRecord.UndeliveredRequest(
                request: PackedRequest(packing: content.block, token: nil), apnsID: id,
                payloadByteCount: content.payloadByteCount)
        }
        let outcome: RequestRecord.Outcome =
            if let notification, let push {
                .accepted(push: push.push, registration: push.registration, notification: notification)
            } else if let undelivered, let rejection {
                .refused(undelivered, APNsRejection(rejection))
            } else if let undelivered, let served {
                .served(undelivered, served)
            } else if let undelivered {
                .handledByFault(undelivered)
            } else {
                .oversized(id)
            }
        return RequestRecord(
            receivedAt: receivedAt, connection: connection, environment: environment, authentication: authentication,
            outcome: outcome, fault: fault.map { FaultMark($0.rule, status: $0.status, reason: $0.reason) },
            answer: delay.map { DelayedAnswer($0.fate, at: $0.at) })
    }
}

extension RecordedRequest.Content {
    fileprivate init(_ request: RequestRecord.UndeliveredRequest) {
        headers = request.request.fields(token: nil).map { HeaderField(name: $0.name, value: $0.value) }
        payload = Data(request.request.payload)
        payloadByteCount = request.payloadByteCount
    }
}

extension APNsRejection {
    fileprivate init(_ recorded: RecordedRequest.Rejection) {
        self.init(
            recorded.reason, recorded.diagnosis.code, recorded.diagnosis.message, timestamp: recorded.timestamp)
    }
}
