internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird
internal import JSON

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
                Response(json: ["removed": .integer(gateway.removeRequests())])
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
