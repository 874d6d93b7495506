internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import JSON
internal import Wire

/// Provider requests on their way to JSON; looks each connection up once.
struct RequestView {
    let gateway: Gateway
    private let spelling: APNsReason.Spelling
    private var connections: [UInt32: ConnectionFacts?] = [:]

    init(gateway: Gateway) {
        self.gateway = gateway
        spelling = gateway.settings.spelling
    }

    /// A request in a list.
    mutating func summary(_ record: RequestRecord) -> JSONValue {
        let findings = RequestFindings.findings(for: record, on: facts(of: record.connection))
        return [
            "number": .integer(record.number),
            "receivedAt": .time(record.receivedAt),
            "connection": .integer(record.connection),
            "environment": .string(record.environment.rawValue),
            "authentication": .string(record.authentication.rawValue),
            "status": record.status.map { .integer($0) },
            "reason": record.reason(spelling).map { .string($0) },
            "fault": record.fault.map { .string($0.rule) },
            "answer": record.answer.map { ["outcome": .string($0.fate.rawValue), "at": .time($0.at)] },
            "apnsId": .string(record.apnsIDText),
            "token": record.tokenText.map { .string($0) },
            "topic": record.topic.map { .string($0) },
            "pushType": record.request.value(of: .apnsPushType).map { .string($0) },
            "notification": record.notification.map { .integer($0) },
            "diagnosis": record.diagnosis.map { ["id": .string($0.code), "message": .string($0.message)] },
            "findings": .array(findings.map { JSONValue($0) }),
        ]
    }

    /// Everything about a request.
    mutating func detail(_ record: RequestRecord) -> JSONValue {
        let summary = summary(record).adding(["headers": .headers(record.request.fields(token: record.token))])
        let payload = record.request.payload
        // Of a payload that is too large only a part is kept; the length is the one sent.
        return summary.adding(.payload(payload, byteCount: record.payloadByteCount ?? payload.count))
    }

    private mutating func facts(of connection: UInt32) -> ConnectionFacts? {
        if let known = connections[connection] { return known }
        let facts = gateway.connection(connection)?.facts
        connections[connection] = .some(facts)
        return facts
    }
}

extension RequestRecord {
    var refusal: Refusal? {
        if case .refused(let refusal) = outcome { refusal } else { nil }
    }

    /// How long the payload was as it was sent, when less of it may have been kept.
    fileprivate var payloadByteCount: Int? {
        switch outcome {
        case .accepted: nil
        case .refused(let refusal): refusal.payloadByteCount
        case .taken(let taken): taken.payloadByteCount
        case .oversized: nil
        }
    }

    /// Why it was refused.
    var rejection: APNsRejection? { refusal?.rejection }

    /// The reason in the answer.
    func reason(_ spelling: APNsReason.Spelling) -> String? {
        let isSent = answer.map { $0.fate == .sent } ?? true
        return (isSent ? fault?.reason : nil) ?? rejection?.reason.text(spelling)
    }

    /// What people are told of why it was refused.
    fileprivate var diagnosis: Diagnosis? {
        if case .oversized = outcome { Self.tooManyHeaders } else { rejection?.diagnosis }
    }

    private static let tooManyHeaders = Diagnosis(
        "headers.too-large",
        "the header list is larger than `http2.maximumHeaderListSize`, which is announced as APNs announces it: 8000 bytes, "
            + "counting name, value and 32 of each field (RFC 9113 §6.5.2). Send fewer or shorter headers.")

    /// The topic that the provider named, or that its certificate stands for.
    var topic: String? {
        registration?.topic ?? request.value(of: .apnsTopic)
    }

    /// Where it went; `nil` when it was refused.
    var registration: Registration? {
        if case .accepted(_, let registration, _) = outcome { registration } else { nil }
    }

    /// The number of the notification it became.
    var notification: UInt64? {
        if case .accepted(_, _, let number) = outcome { number } else { nil }
    }

    /// The token it went to; `nil` when it was refused.
    var token: DeviceToken? { registration?.token }

    /// The token that the path names, in the spelling of the path if it was refused.
    var tokenText: String? {
        if let token { return token.hex }
        guard let path = request.value(of: .path), path.hasPrefix("/3/device/") else { return nil }
        let text = path.dropFirst(10).prefix(2 * DeviceToken.maximumByteCount)
        return text.isEmpty ? nil : String(text)
    }

    /// The `apns-id` of the answer.
    var apnsIDText: String {
        switch outcome {
        case .accepted(let push, _, _): push.apnsIDText
        case .refused(let refusal): Self.text(of: refusal.apnsID, in: refusal.request)
        case .taken(let taken): Self.text(of: taken.apnsID, in: taken.request)
        case .oversized(let apnsID): apnsID.text(.upper)
        }
    }

    /// As the provider wrote it, if it sent one that could be echoed.
    private static func text(of apnsID: APNsID, in request: PackedRequest) -> String {
        guard let own = request.value(of: .apnsID), APNsID(Array(own.utf8).span.bytes) == apnsID else {
            return apnsID.text(.upper)
        }
        return own
    }
}
