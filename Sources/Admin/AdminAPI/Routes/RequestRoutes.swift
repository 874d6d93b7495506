package import APNs
internal import DeviceModel
internal import DeviceSimulator
package import Gateway
internal import HTTPTypes
internal import HummingbirdCore
package import JSON
internal import Queries
internal import RequestWire
package import Time

extension AdminAPI {
    var requestEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/requests", .requests,
                "Requests with their answers, oldest or newest first; can wait for more", id: "requests",
                about: """
                    `order`, `wait` and their answers are those of `GET /notifications`. With `status` or `reason`, an
                    older request counts as soon as its delayed answer matches.
                    """,
                answers: [.ok("A page of requests.", .of(RequestsAnswer.self))],
                query: RequestFilter.names + ["order", "before", "since", "limit", "wait", "count"], list),
            Endpoint(
                .get, "/requests/latest", .requests, "Everything about the newest matching request",
                id: "latestRequest", answer: "The request.", errors: [404], query: RequestFilter.names
            ) { request in
                let filter = try filter(request.query)
                let latest = gateway.requestLog.page(before: .max, limit: 1) { filter.matches($0) }.items.first
                return detail(
                    try latest.found(
                        or: "No request matches: none has arrived yet, or it was cleared or evicted from the full log.")
                )
            },
            Endpoint(
                .get, "/requests/{number}", .requests, "Everything about a request", id: "request",
                answer: "The request.", errors: [404]
            ) { request in
                let number: UInt64 = try request.number("number")
                return detail(
                    try gateway.requestLog.record(number).found(
                        or: "There is no request \(number); the log retains only the newest."))
            },
            Endpoint(
                .delete, "/requests", .requests, "Clear the request log", id: "removeRequests", answers: [.removed]
            ) { _ in Response(removed: gateway.requestLog.removeAll()) },
        ]
    }

    private func filter(_ query: RequestQuery) throws(AdminError) -> RequestFilter {
        let conditions = try query.query(roots(.requests))
        let matches: @Sendable (RequestRecord) -> Bool = { conditions.matches(document($0)) }
        return try RequestFilter(query, of: gateway, condition: conditions.isEmpty ? nil : matches)
    }

    private func list(_ request: AdminRequest) async throws -> Response {
        let filter = try filter(request.query)
        let (since, before, limit) = (try request.since(), try request.before(), try request.limit())
        let log = gateway.requestLog
        return try await request.list(
            now: { log.page(since: since, before: before, limit: limit, where: { filter.matches($0) }) },
            wait: { (count: Int, timeout: Duration) in
                await log.wait(since: since, count: count, timeout: timeout, where: { filter.matches($0) })
            },
            answer: { (page: RequestPage, outcome: WaitOutcome?) in
                RequestsAnswer(
                    RequestRows(
                        requests: page.items.map(summary), next: String(page.next), hasMore: page.hasMore,
                        dropped: page.droppedCount, isTruncated: page.hasGap),
                    PageEnd(page, outcome, total: before.map { _ in total(filter) }, isFiltered: !filter.isEmpty))
            })
    }

    private func total(_ filter: RequestFilter) -> MatchCount {
        filter.isEmpty ? gateway.requestLog.count() : gateway.requestLog.count { filter.matches($0) }
    }

    private func detail(_ record: RequestRecord) -> RequestDetailAnswer {
        let payload = PayloadAnswer(
            record.request.payload, byteCount: record.outcome.undelivered?.payloadByteCount)
        let headers = HeadersAnswer(headers: .headers(record.request.fields(token: record.token)))
        return Joined(summary(record), Joined(headers, payload))
    }

    func summary(_ record: RequestRecord) -> RequestAnswer {
        RequestAnswer(
            number: record.number, receivedAt: record.receivedAt, connection: Int(record.connection),
            environment: record.environment, source: record.source, authentication: record.authentication,
            status: record.status.map { Int($0) }, reason: record.reason(gateway.settings.spelling),
            fault: record.fault?.rule, answer: record.answer.map { .init(outcome: $0.fate, at: $0.at) },
            apnsId: record.apnsIDText, device: gateway.device(of: record), token: record.tokenText, topic: record.topic,
            pushType: record.request.value(of: .apnsPushType), notification: gateway.notification(of: record),
            channel: record.channelID, broadcast: record.served?.broadcast,
            relay: record.relay, diagnosis: record.diagnosis.map { .init($0) },
            findings: gateway.findings(on: record).filter { !configuration.silencedFindings.contains($0.id) }
                .map { FindingAnswer($0) }, summary: gateway.sentence(of: record))
    }
}

package typealias RequestsAnswer = Joined<RequestRows, PageEnd>

package struct RequestRows: APIShape {
    package var requests: [RequestAnswer]
    package var next: String
    package var hasMore: Bool
    package var dropped: Int
    package var isTruncated: Bool

    package static let shape = Shape(
        name: "RequestPage",
        [
            "next": .with(#"pattern: "^[0-9]+$""#, "Pass as `since`, or with `order=newest` as `before`."),
            "hasMore": "Whether more requests match.",
            "dropped": "Records evicted since the start.",
            "isTruncated": "Whether records after `since` were evicted; with `order=newest`, whether any were.",
        ])
}

package typealias RequestDetailAnswer = Joined<RequestAnswer, Joined<HeadersAnswer, PayloadAnswer>>

package struct HeadersAnswer: APIShape {
    package var headers: JSONValue

    package static let shape = Shape(name: "Request", ["headers": .ref("Headers")])
}

/// A request in a list; a single request also has headers and payload.
package struct RequestAnswer: APIShape {
    package var number: UInt64
    package var receivedAt: Instant
    package var connection: Int
    package var environment: APNsEnvironment
    package var source: RequestRecord.Source
    package var authentication: RequestRecord.Authentication
    package var status: Int?
    package var reason: String?
    package var fault: String?
    package var answer: Fate?
    package var apnsId: String
    package var device: String?
    package var token: String?
    package var topic: String?
    package var pushType: String?
    package var notification: UInt64?
    package var channel: String?
    package var broadcast: UInt64?
    package var relay: RelayResult?
    package var diagnosis: Diagnosis?
    package var findings: [FindingAnswer]
    /// `Gateway.sentence(of:)`
    package var summary: String

    package static let shape = Shape(
        name: "RequestSummary",
        [
            "number": .positive(),
            "source": "`hand` for a direct push through this API.",
            "status": .type(
                "type: integer, minimum: 200, maximum: 599", "Absent if no answer was sent; `answer` says why."),
            "reason": "The reason of a rejection.",
            "fault": "The fault rule that fired.",
            "answer": "The outcome of an answer that was not sent at once.",
            "apnsId": .with("format: uuid"),
            "device": "The device of the token; of a rejected request, the device that has the token now.",
            "notification": .positive("The number of the request's notification."),
            "channel": "The `apns-channel-id` that was sent, or that a new channel has.",
            "broadcast": .positive("The number of an accepted broadcast."),
            "relay": "What the upstream of the relay did with it; absent if it was not sent on.",
            "diagnosis": "What is wrong with a rejected request, and how to fix it; not part of the answer.",
            "summary": "The request and its outcome in one line; what the gateway logs.",
        ])

    package struct Fate: APIShape {
        package var outcome: DelayedAnswer.Fate
        package var at: Instant
    }

    package struct Diagnosis: APIShape {
        package var id: String
        package var message: String

        init(_ diagnosis: APNs.Diagnosis) { (id, message) = (diagnosis.code, diagnosis.message) }
    }
}

extension RelayResult: APIShape {
    package static let shape = Shape(
        name: "RequestRelay",
        [
            "upstream": .filled("`relay.name`"),
            "outcome": """
            `failed`: there is no answer, but the push may have arrived. `dropped`: it was not sent, because the queue \
            was full.
            """,
            "status": .type("type: integer, minimum: 100, maximum: 999"),
            "error": "Why there is no answer.",
            "difference": "Both answers, if they differ.",
        ])
}
