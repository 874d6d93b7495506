internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird
internal import JSON
internal import Wire

extension AdminAPI {
    var requestEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/requests",
                query: ["since", "limit", "status", "reason", "fault", "connection", "device", "topic"], list),
            Endpoint(.get, "/requests/{number}") { request in
                let number: UInt64 = try request.number("number")
                guard let record = gateway.requestLog.record(number) else {
                    throw AdminError.notFound("There is no request \(number); the log retains only the newest.")
                }
                let payload = record.request.payload
                return Response(
                    json: JSONValue(summary(record)).adding([
                        "headers": .headers(record.request.fields(token: record.token))
                    ])
                    .adding(.payload(payload, byteCount: record.payloadByteCount ?? payload.count)))
            },
            Endpoint(.delete, "/requests") { _ in
                Response(RemovedAnswer(removed: gateway.requestLog.removeAll()))
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
        let reasons = query["reason"].map { Self.spellings($0) ?? [$0] }
        let (device, topic) = (query["device"], query["topic"])
        let page = gateway.requestLog.page(since: since, limit: limit) { record in
            if let status, status != record.status { return false }
            if isUnanswered, record.status != nil { return false }
            if let connection, connection != record.connection { return false }
            if let fault, fault != record.fault?.rule { return false }
            if let reasons, !(record.reason(.observed).map(reasons.contains) ?? false) { return false }
            if let topic, topic != record.topic { return false }
            if let device, device != self.device(of: record) { return false }
            return true
        }
        if let reason = query["reason"], page.requests.isEmpty { try check(reason) }
        return Response(
            RequestsAnswer(
                requests: page.requests.map(summary), next: String(page.next), hasMore: page.hasMore,
                dropped: page.dropped, isTruncated: page.isTruncated))
    }

    func device(of record: RequestRecord) -> String? {
        if let registration = record.registration { return registration.device }
        let token = record.tokenText.flatMap { DeviceToken(hex: Array($0.utf8).span.bytes) }
        return token.flatMap { gateway.simulator.registration(of: $0)?.device }
    }

    /// Some reasons have two spellings; `nil` if the word is no reason of APNs.
    private static func spellings(_ text: String) -> Set<String>? {
        APNsReason.allCases.first { $0.rawValue == text || $0.text(.documented) == text }
            .map { [$0.text(.observed), $0.text(.documented)] }
    }

    /// Rejects a reason unknown to both APNs and the fault rules, which may use any word.
    private func check(_ reason: String) throws(AdminError) {
        guard Self.spellings(reason) == nil else { return }
        let answers = gateway.faults.statuses.flatMap {
            [$0.rule.effect.answer].compactMap(\.self) + $0.rule.effect.answers
        }
        guard !answers.contains(where: { $0.reason == reason }) else { return }
        throw unknownWord("reason", reason, APNsReason.allCases.map(\.rawValue))
    }

    func summary(_ record: RequestRecord) -> RequestAnswer {
        let facts = gateway.connectionLog.snapshot(of: record.connection)?.facts
        let findings = RequestFindings.findings(for: record, on: facts)
        return RequestAnswer(
            number: record.number, receivedAt: record.receivedAt.text, connection: Int(record.connection),
            environment: record.environment.rawValue, authentication: record.authentication.rawValue,
            status: record.status.map { Int($0) }, reason: record.reason(gateway.settings.spelling),
            fault: record.fault?.rule, answer: record.answer.map { .init(outcome: $0.fate.rawValue, at: $0.at.text) },
            apnsId: record.apnsIDText, token: record.tokenText, topic: record.topic,
            pushType: record.request.value(of: .apnsPushType), notification: record.notification,
            diagnosis: record.diagnosis.map { .init(id: $0.code, message: $0.message) },
            findings: findings.map { FindingAnswer($0) }, summary: gateway.sentence(of: record))
    }
}

package struct RequestsAnswer: APIShape {
    package var requests: [RequestAnswer]
    package var next: String
    package var hasMore: Bool
    package var dropped: UInt64
    package var isTruncated: Bool
}

/// A request in a list; a single request also has headers and payload.
package struct RequestAnswer: APIShape {
    package var number: UInt64
    package var receivedAt: String
    package var connection: Int
    package var environment: String
    package var authentication: String
    package var status: Int?
    package var reason: String?
    package var fault: String?
    package var answer: Fate?
    package var apnsId: String
    package var token: String?
    package var topic: String?
    package var pushType: String?
    package var notification: UInt64?
    package var diagnosis: Diagnosis?
    package var findings: [FindingAnswer]
    /// `Gateway.sentence(of:)`
    package var summary: String

    package struct Fate: APIShape {
        package var outcome: String
        package var at: String
    }

    package struct Diagnosis: APIShape {
        package var id: String
        package var message: String
    }
}

extension RequestRecord {
    /// The length as sent; an oversized payload is stored truncated.
    fileprivate var payloadByteCount: Int? {
        switch outcome {
        case .accepted, .oversized: nil
        case .refused(let undelivered, _), .handledByFault(let undelivered): undelivered.payloadByteCount
        }
    }

    var rejection: APNsRejection? {
        if case .refused(_, let rejection) = outcome { rejection } else { nil }
    }

    func reason(_ spelling: APNsReason.Spelling) -> String? {
        let isSent = answer.map { $0.fate == .sent } ?? true
        return (isSent ? fault?.reason : nil) ?? rejection?.reason.text(spelling)
    }

    var diagnosis: Diagnosis? {
        if case .oversized = outcome { Self.tooManyHeaders } else { rejection?.diagnosis }
    }

    private static let tooManyHeaders = Diagnosis(
        "headers.too-large",
        "the header list is larger than `http2.maximumHeaderListSize`, which is announced as APNs announces it: 8000 bytes, "
            + "counting name, value and 32 of each field (RFC 9113 §6.5.2). Send fewer or shorter headers.")

    /// From the header or the provider's certificate.
    var topic: String? {
        registration?.topic ?? request.value(of: .apnsTopic)
    }

    var registration: Registration? {
        if case .accepted(_, let registration, _) = outcome { registration } else { nil }
    }

    package var notification: UInt64? {
        if case .accepted(_, _, let number) = outcome { number } else { nil }
    }

    var token: DeviceToken? { registration?.token }

    /// From the path; in the path's spelling if the request was rejected.
    var tokenText: String? {
        if let token { return token.hex }
        guard let path = request.value(of: .path), path.hasPrefix("/3/device/") else { return nil }
        let text = path.dropFirst(10).prefix(2 * DeviceToken.maximumByteCount)
        return text.isEmpty ? nil : String(text)
    }

    var apnsIDText: String {
        switch outcome {
        case .accepted(let push, _, _): push.apnsIDText
        case .refused(let undelivered, _), .handledByFault(let undelivered): undelivered.apnsIDText
        case .oversized(let apnsID): apnsID.text(.upper)
        }
    }
}

extension RequestRecord.UndeliveredRequest {
    /// In the provider's spelling, if it sent a valid one.
    fileprivate var apnsIDText: String {
        let own = request.value(of: .apnsID)
        return own.flatMap { APNsID(Array($0.utf8).span.bytes) == apnsID ? $0 : nil } ?? apnsID.text(.upper)
    }
}
