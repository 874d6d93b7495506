internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird

/// What providers asked for, and what they were told.
struct RequestRoutes: Sendable {
    let gateway: Gateway

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/requests", query: ["since", "limit", "status", "reason", "device", "topic"], list),
            Endpoint(.get, "/requests/{number}") { request in
                let number = try request.number("number", UInt64.self)
                guard let record = gateway.request(number) else {
                    throw AdminError.notFound("There is no request \(number); the log keeps the newest only.")
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
        let limit = try query.integer("limit", in: 1...1000) ?? 100
        let status = try query.integer("status", in: UInt16(200)...599)
        let reason = try Self.reason(query["reason"])
        let (device, topic) = (query["device"], query["topic"])
        let page = gateway.requests(since: since, limit: limit) { record in
            if let status, status != record.status { return false }
            if let reason, reason != record.rejection?.reason { return false }
            if let topic, topic != record.request.value(of: .apnsTopic) { return false }
            if let device, device != self.device(of: record) { return false }
            return true
        }
        var view = RequestView(gateway: gateway)
        return Response(json: [
            "requests": .array(page.requests.map { view.summary($0) }),
            "next": .string(String(page.next)),
            "dropped": .integer(page.dropped),
            "isTruncated": .bool(page.isTruncated),
        ])
    }

    /// The device that the request's token belongs to.
    private func device(of record: RequestRecord) -> String? {
        let token = record.token ?? record.tokenText.flatMap { DeviceToken(hex: Array($0.utf8).span.bytes) }
        return token.flatMap { gateway.simulator.registration(of: $0)?.device }
    }

    private static func reason(_ text: String?) throws(AdminError) -> APNsReason? {
        guard let text else { return nil }
        let known = APNsReason.allCases.first { $0.rawValue == text || $0.text(.documented) == text }
        guard let known else { throw unknownWord("reason", text, APNsReason.allCases.map(\.rawValue)) }
        return known
    }
}
