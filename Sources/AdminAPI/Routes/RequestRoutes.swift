internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird
internal import JSON
internal import Wire

/// What providers asked for, and what they were told.
struct RequestRoutes: Sendable {
    let gateway: Gateway

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/requests",
                query: ["since", "limit", "status", "reason", "fault", "connection", "device", "topic"], list),
            Endpoint(.get, "/requests/{number}") { request in
                let number = try request.number("number", UInt64.self)
                guard let record = gateway.request(number) else {
                    throw AdminError.notFound("There is no request \(number); the log retains only the newest.")
                }
                var view = RequestView(gateway: gateway)
                return Response(json: view.detail(record))
            },
            Endpoint(.delete, "/requests") { _ in
                Response(RemovedAnswer(removed: gateway.removeRequests()))
            },
        ]
    }

    private func list(_ request: AdminRequest) throws -> Response {
        let query = request.query
        let since = try query.integer("since", in: 0...UInt64.max) ?? 0
        let limit = try request.limit()
        let isUnanswered = query["status"] == "none"
        let status = isUnanswered ? nil : try query.integer("status", in: UInt16(200)...599)
        let connection = try query.integer("connection", in: 0...UInt32.max)
        let fault = query["fault"]
        let reason = query["reason"].map { ReasonFilter($0) }
        let (device, topic) = (query["device"], query["topic"])
        let page = gateway.requests(since: since, limit: limit) { record in
            if let status, status != record.status { return false }
            if isUnanswered, record.status != nil { return false }
            if let connection, connection != record.connection { return false }
            if let fault, fault != record.fault?.rule { return false }
            if let reason, !reason.matches(record) { return false }
            if let topic, topic != record.topic { return false }
            if let device, device != self.device(of: record) { return false }
            return true
        }
        try check(reason, against: page)
        var view = RequestView(gateway: gateway)
        return Response(json: [
            "requests": .array(page.requests.map { view.summary($0) }),
            "next": .string(String(page.next)),
            "hasMore": .bool(page.hasMore),
            "dropped": .integer(page.dropped),
            "isTruncated": .bool(page.isTruncated),
        ])
    }

    /// The device that the request's token belongs to.
    private func device(of record: RequestRecord) -> String? {
        if let registration = record.registration { return registration.device }
        let token = record.tokenText.flatMap { DeviceToken(hex: Array($0.utf8).span.bytes) }
        return token.flatMap { gateway.simulator.registration(of: $0)?.device }
    }

    /// A reason that requests are looked for by.
    private struct ReasonFilter {
        /// The ways in which answers may spell it: APNs has two of one at times.
        var words: Set<String>
        /// Whether APNs knows it; faults answer with any word.
        var isKnown: Bool

        init(_ text: String) {
            let known = APNsReason.allCases.first { $0.rawValue == text || $0.text(.documented) == text }
            words = known.map { [$0.text(.observed), $0.text(.documented)] } ?? [text]
            isKnown = known != nil
        }

        func matches(_ record: RequestRecord) -> Bool {
            record.reason(.observed).map { words.contains($0) } ?? false
        }
    }

    /// Refuses a reason that nobody knows: not APNs, no fault rule, and no request either.
    private func check(_ reason: ReasonFilter?, against page: RequestPage) throws(AdminError) {
        guard let reason, !reason.isKnown, page.requests.isEmpty else { return }
        let answers = gateway.faults.statuses.flatMap {
            [$0.rule.effect.answer].compactMap(\.self) + $0.rule.effect.answers
        }
        guard !answers.contains(where: { $0.reason.map { reason.words.contains($0) } ?? false }) else { return }
        throw unknownWord("reason", reason.words.first ?? "", APNsReason.allCases.map(\.rawValue))
    }
}

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
            "findings": .array(findings.map { JSONValue(FindingAnswer($0)) }),
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
    var diagnosis: Diagnosis? {
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
    package var notification: UInt64? {
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
