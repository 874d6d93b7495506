internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird

/// What the devices received.
struct NotificationRoutes: Sendable {
    let gateway: Gateway

    private static let filters = ["device", "topic", "state", "text", "pushType", "apnsId"]
    /// The longest wait; a test that needs more has gone wrong.
    private static let longestWait = Duration.seconds(600)

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/notifications", query: Self.filters + ["since", "cursor", "limit", "wait", "count"], list),
            Endpoint(.delete, "/notifications", query: Self.filters) { request in
                Response(json: ["removed": .integer(gateway.simulator.clear(try Self.query(request.query)))])
            },
            Endpoint(.get, "/notifications/{id}") { request in
                var view = NotificationView(gateway: gateway)
                return Response(json: try view.detail(try notification(request)))
            },
            Endpoint(.get, "/notifications/{id}/payload") { request in
                let payload = Array(try notification(request).push.payload)
                return Response(bytes: payload, type: "application/octet-stream")
            },
        ]
    }

    private func list(_ request: AdminRequest) async throws -> Response {
        let query = try Self.query(request.query)
        let wait = try request.query.duration("wait", atMost: Self.longestWait)
        let count = try request.query.integer("count", in: 1...1000)
        guard let wait else {
            if count != nil { throw AdminError.badRequest("'count' needs 'wait': for how long to wait, such as 5s.") }
            return Response(json: page(gateway.simulator.notifications(query), nil))
        }
        let first = await gateway.simulator.wait(query, count: count ?? 1, timeout: .zero)
        if first.outcome == .matched || wait == .zero { return Response(json: page(first.page, first.outcome)) }
        // Waits no longer than somebody listens.
        let result = try await request.request.body.consumeWithCancellationOnInboundClose { _ in
            await gateway.simulator.wait(query, count: count ?? 1, timeout: wait)
        }
        var response = Response(json: page(result.page, result.outcome))
        // Watching for the client to hang up uses the connection up.
        response.headers[.connection] = "close"
        return response
    }

    private func page(_ page: NotificationPage, _ outcome: WaitResult.Outcome?) -> JSONTree {
        var view = NotificationView(gateway: gateway)
        return [
            "notifications": .array(page.items.map { view.summary($0) }),
            "next": .string(String(page.next)),
            "hasMore": .bool(page.hasMore),
            "dropped": .integer(page.droppedCount),
            "hasGap": .bool(page.hasGap),
            "outcome": outcome.map { .string(Self.word($0)) },
        ]
    }

    private static func word(_ outcome: WaitResult.Outcome) -> String {
        switch outcome {
        case .matched: "complete"
        case .timedOut: "timeout"
        case .stopped: "stopping"
        }
    }

    private func notification(_ request: AdminRequest) throws(AdminError) -> Notification {
        let id = try request.number("id", UInt64.self)
        guard let notification = gateway.simulator.notification(id) else {
            throw .notFound("There is no notification \(id); it may have been cleared, or dropped from a full inbox.")
        }
        return notification
    }

    private static func query(_ query: RequestQuery) throws(AdminError) -> NotificationQuery {
        if query["since"] != nil, query["cursor"] != nil {
            throw .badRequest("'since' and 'cursor' mean the same; one is enough.")
        }
        let since = try query.integer("since", in: 0...UInt64.max)
        let cursor = try query.integer("cursor", in: 0...UInt64.max)
        return NotificationQuery(
            device: query["device"], topic: query["topic"],
            state: try query.choice("state", DeliveryState.Kind.self), pushType: try pushType(query["pushType"]),
            text: query["text"], apnsID: try apnsID(query["apnsId"]),
            since: since ?? cursor ?? 0,
            limit: try query.integer("limit", in: 1...1000) ?? 100)
    }

    private static func pushType(_ text: String?) throws(AdminError) -> PushType? {
        guard let text else { return nil }
        guard let type = PushType(name: text) else {
            throw unknownWord("pushType", text, PushType.allCases.map(\.name))
        }
        return type
    }

    private static func apnsID(_ text: String?) throws(AdminError) -> APNsID? {
        guard let text else { return nil }
        guard let id = APNsID(Array(text.utf8).span.bytes) else {
            throw .badRequest("'apnsId' is '\(text.prefix(60))'; it must be a UUID of 36 characters.")
        }
        return id
    }
}
