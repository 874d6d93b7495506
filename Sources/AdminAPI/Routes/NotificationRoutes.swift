internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON

/// What the devices received.
struct NotificationRoutes: Sendable {
    let gateway: Gateway
    /// Names of rules that report nothing.
    let silenced: Set<String>

    private static let filters = [
        "device", "topic", "state", "timing", "text", "pushType", "apnsId", "apnsUniqueId",
    ]

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/notifications", query: Self.filters + ["since", "cursor", "limit", "wait", "count"], list),
            Endpoint(.delete, "/notifications", query: Self.filters) { request in
                defer { gateway.cancelForgottenExtensions() }
                return Response(json: ["removed": .integer(gateway.simulator.clear(try Self.query(request)))])
            },
            Endpoint(.get, "/notifications/{id}") { request in
                var view = NotificationView(gateway: gateway, silencing: silenced)
                return Response(json: view.detail(try notification(request)))
            },
            Endpoint(.get, "/notifications/{id}/explanation") { request in
                var view = NotificationView(gateway: gateway, silencing: silenced)
                let text = view.explanation(try notification(request))
                return Response(bytes: Array(text.utf8), type: "text/plain; charset=utf-8")
            },
            Endpoint(.get, "/notifications/{id}/payload") { request in
                let payload = Array(try notification(request).push.payload)
                return Response(bytes: payload, type: "application/octet-stream")
            },
        ]
    }

    private func list(_ request: AdminRequest) async throws -> Response {
        let query = try Self.query(request)
        return try await request.list(
            now: { gateway.simulator.notifications(query) },
            wait: { await gateway.simulator.wait(query, count: $0, timeout: $1) }, json: page)
    }

    private func page(_ page: NotificationPage, _ outcome: WaitOutcome?) -> JSONValue {
        var view = NotificationView(gateway: gateway, silencing: silenced)
        return [
            "notifications": .array(page.items.map { view.summary($0) }),
            "next": .string(String(page.next)),
            "hasMore": .bool(page.hasMore),
            "dropped": .integer(page.droppedCount),
            "hasGap": .bool(page.hasGap),
            "outcome": outcome.map { .string($0.rawValue) },
        ]
    }

    private func notification(_ request: AdminRequest) throws(AdminError) -> Notification {
        let id = try request.number("id", UInt64.self)
        guard let notification = gateway.simulator.notification(id) else {
            throw .noNotification(id)
        }
        return notification
    }

    private static func query(_ request: AdminRequest) throws -> NotificationQuery {
        let query = request.query
        return NotificationQuery(
            device: query["device"], topic: query["topic"],
            state: try query.value("state", .word(DeliveryState.Kind.self)), timing: try timing(query["timing"]),
            pushType: try query.pushType(), text: query["text"],
            apnsID: try identifier("apnsId", in: query), uniqueID: try identifier("apnsUniqueId", in: query),
            since: try request.since(), limit: try request.limit())
    }

    private static func timing(_ text: String?) throws(AdminError) -> Timing? {
        guard let text else { return nil }
        guard let timing = Timing.allCases.first(where: { $0.name == text }) else {
            throw unknownWord("timing", text, Timing.allCases.map(\.name))
        }
        return timing
    }

    private static func identifier(_ name: String, in query: RequestQuery) throws(AdminError) -> APNsID? {
        guard let text = query[name] else { return nil }
        guard let id = APNsID(Array(text.utf8).span.bytes) else {
            throw .badRequest("'\(name)' is '\(text.prefix(60))'; it must be a UUID of 36 characters.")
        }
        return id
    }
}
