internal import APNs
internal import DeviceModel
internal import DeviceSimulator
package import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import Queries
internal import RequestWire
internal import Time

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

    func summary(_ record: RequestRecord) -> RequestAnswer { RequestAnswer((record, self)) }
}

typealias RequestsAnswer = Joined<RequestRows, PageEnd>

struct RequestRows: APIShape {
    var requests: [RequestAnswer]
    var next: String
    var hasMore: Bool
    var dropped: Int
    var isTruncated: Bool

    static let shape = Shape(
        name: "RequestPage",
        [
            "next": .with(#"pattern: "^[0-9]+$""#, "Pass as `since`, or with `order=newest` as `before`."),
            "hasMore": "Whether more requests match.",
            "dropped": "Records evicted since the start.",
            "isTruncated": "Whether records after `since` were evicted; with `order=newest`, whether any were.",
        ])
}

typealias RequestDetailAnswer = Joined<RequestAnswer, Joined<HeadersAnswer, PayloadAnswer>>

struct HeadersAnswer: APIShape {
    var headers: JSONValue

    static let shape = Shape(name: "Request", ["headers": .ref("Headers")])
}

/// A request in a list; a single request also has headers and payload.
struct RequestAnswer: AnswerTable {
    let source: (record: RequestRecord, api: AdminAPI)

    static let rows: [Row<(record: RequestRecord, api: AdminAPI)>] = [
        Row("number", \.record.number, .positive()),
        Row("receivedAt", \.record.receivedAt),
        Row("connection") { Int($0.record.connection) },
        Row("environment", \.record.environment),
        Row("source", \.record.source, "`hand` for a direct push through this API."),
        Row("authentication", \.record.authentication),
        Row(
            "status", { $0.record.status.map { Int($0) } },
            .type("type: integer, minimum: 200, maximum: 599", "Absent if no answer was sent; `answer` says why.")),
        Row(
            "reason", { $0.record.reason($0.api.gateway.settings.spelling) },
            "The reason of a rejection; absent if no answer was sent."),
        Row("fault", \.record.fault?.rule, "The fault rule that fired."),
        Row("answer", { $0.record.answer.map { Fate($0) } }, "The outcome of an answer that was not sent at once."),
        Row("apnsId", \.record.apnsIDText, .with("format: uuid")),
        Row(
            "device", { $0.api.gateway.device(of: $0.record) },
            "The device of the token; of a rejected request, the device that has the token now."),
        Row("token", \.record.tokenText),
        Row("topic", \.record.topic),
        Row("pushType") { $0.record.request.value(of: .apnsPushType) },
        Row(
            "notification", { $0.api.gateway.notificationNumber(of: $0.record) },
            .positive("The number of the request's notification.")),
        Row("channel", \.record.channelID, "The `apns-channel-id` that was sent, or that a new channel has."),
        Row("broadcast", \.record.served?.broadcast, .positive("The number of an accepted broadcast.")),
        Row(
            "relay", \.record.relay,
            "What the upstream of the relay did with it; absent if it was not sent on."),
        Row(
            "diagnosis", { $0.record.diagnosis.map { Diagnosis($0) } },
            "What is wrong with a rejected request, and how to fix it; not part of the answer."),
        Row("findings") { record, api in
            api.gateway.findings(on: record).filter { !api.configuration.silencedFindings.contains($0.id) }
                .map { FindingAnswer($0) }
        },
        Row(
            "summary", { $0.api.gateway.sentence(of: $0.record) },
            "The request and its outcome in one line; what the gateway logs."),
    ]

    static let shape = Shape(name: "RequestSummary", of: rows)

    struct Fate: AnswerTable {
        let source: DelayedAnswer

        static let rows: [Row<DelayedAnswer>] = [Row("outcome", \.fate), Row("at", \.at)]
    }

    struct Diagnosis: AnswerTable {
        let source: APNs.Diagnosis

        static let rows: [Row<APNs.Diagnosis>] = [Row("id", \.code), Row("message", \.message)]
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

/// Selects requests of the log that match every parameter of a query.
struct RequestFilter: Sendable {
    static let names = [
        "status", "reason", "fault", "connection", "device", "topic", "source", RequestQuery.condition,
    ]

    /// For requests without an answer.
    private static let noStatus = "none"

    private var tests: [@Sendable (RequestRecord) -> Bool] = []

    var isEmpty: Bool { tests.isEmpty }

    /// - Parameter condition: The conditions of `where`; nil without.
    init(
        _ query: RequestQuery, of gateway: Gateway, condition: (@Sendable (RequestRecord) -> Bool)?
    ) throws(AdminError) {
        if query["status"] == Self.noStatus {
            tests.append { $0.status == nil }
        } else if let status = try query.integer("status", in: UInt16(200)...599, or: Self.noStatus) {
            let known = Self.statuses(of: gateway)
            guard known.contains(Int(status)) else {
                throw unknownWord("status", String(status), known.map(String.init) + [Self.noStatus])
            }
            tests.append { $0.status == status }
        }
        if let connection = try query.integer("connection", in: 0...UInt32.max) {
            tests.append { $0.connection == connection }
        }
        if let source = try query.choice("source", of: RequestRecord.Source.allCases, by: \.rawValue) {
            tests.append { $0.source == source }
        }
        if let fault = query["fault"] { tests.append { $0.fault?.rule == fault } }
        if let topic = query["topic"] { tests.append { $0.topic == topic } }
        if let reason = query["reason"] {
            let reasons = try Self.spellings(of: reason, in: gateway)
            tests.append { $0.reason(.observed).map(reasons.contains) ?? false }
        }
        if let device = query["device"] { tests.append { gateway.device(of: $0) == device } }
        if let condition { tests.append(condition) }
    }

    func matches(_ record: RequestRecord) -> Bool { tests.allSatisfy { $0(record) } }

    /// Some of APNs' reasons have two. Rejects another word unless a fault rule, which may use any, or a logged request has it.
    private static func spellings(of text: String, in gateway: Gateway) throws(AdminError) -> Set<String> {
        let reason = APNsReason.allCases.first { $0.rawValue == text || $0.text(.documented) == text }
        if let reason { return [reason.text(.observed), reason.text(.documented)] }
        let isKnown =
            faultReasons(of: gateway).contains(text)
            || !gateway.requestLog.page(before: .max, limit: 1) { $0.reason(.observed) == text }.items.isEmpty
        guard isKnown else { throw unknownWord("reason", text, APNsReason.allCases.map(\.rawValue)) }
        return [text]
    }

    private static func faultReasons(of gateway: Gateway) -> Set<String> {
        Set(faultAnswers(of: gateway).compactMap(\.reason))
    }

    private static func faultAnswers(of gateway: Gateway) -> [FaultAnswer] {
        gateway.faults.statuses.flatMap { [$0.rule.effect.answer].compactMap(\.self) + $0.rule.effect.answers }
    }

    /// Of the requests in the log.
    private static func logged<Value>(in gateway: Gateway, _ value: @escaping (RequestRecord) -> Value?) -> Set<Value> {
        var values: Set<Value> = []
        _ = gateway.requestLog.count { record in
            if let value = value(record) { values.insert(value) }
            return false
        }
        return values
    }

    /// All that an answer may have: those of APNs, of fault rules, and of logged requests.
    static func statuses(of gateway: Gateway) -> [Int] {
        let ofAPNs = APNsReason.allCases.map(\.status) + ChannelAction.allCases.map(\.status)
        return Set((ofAPNs + [200, RequestRecord.oversizedStatus]).map { Int($0) })
            .union(faultAnswers(of: gateway).map(\.code))
            .union(logged(in: gateway) { $0.status.map { Int($0) } })
            .sorted()
    }

    /// All that an answer may have, in every spelling: those of APNs, of fault rules, and of logged requests.
    static func reasons(of gateway: Gateway) -> [String] {
        let known = APNsReason.allCases.flatMap { [$0.rawValue, $0.text(.documented), $0.text(.observed)] }
        let others = faultReasons(of: gateway).union(logged(in: gateway) { $0.fault?.reason })
        var seen: Set<String> = []
        return (known + others.sorted()).filter { seen.insert($0).inserted }
    }
}
