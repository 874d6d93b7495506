internal import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird
internal import JSON

/// What happens on a device, and what people and apps do there.
struct EventRoutes: Sendable {
    let gateway: Gateway

    var endpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/devices/{name}/events", query: ["since", "kind", "notification", "limit", "wait", "count"],
                list),
            Endpoint(.post, "/devices/{name}/actions", perform),
        ]
    }

    /// Does one thing on a device, and tells what came of it.
    private func perform(_ request: AdminRequest) async throws -> Response {
        let device = try gateway.device(named: try request.deviceName())
        let act = try ActForm.act(try await request.object(accepting: ActForm.fields))
        defer { if case .uninstall = act { gateway.cancelForgottenExtensions() } }
        let events = try simulated { () throws(SimulatorError) in
            try gateway.simulator.perform(act, on: device.name, at: gateway.now())
        }
        return Response(json: ["events": .array(events.map { JSONValue($0) })])
    }

    private func list(_ request: AdminRequest) async throws -> Response {
        let device = try gateway.device(named: try request.deviceName())
        let query = EventQuery(
            device: device.name, kinds: try Self.kinds(request.query["kind"]),
            notification: try request.query.integer("notification", in: 1...UInt64.max), since: try request.since(),
            limit: try request.limit())
        return try await request.list(
            now: { gateway.simulator.events(query) },
            wait: { await gateway.simulator.waitForEvents(query, count: $0, timeout: $1) },
            json: { page, outcome in
                [
                    "events": .array(page.events.map { JSONValue($0) }),
                    "next": .string(String(page.next)),
                    "hasMore": .bool(page.hasMore),
                    "hasGap": .bool(page.hasGap),
                    "outcome": outcome.map { .string($0.rawValue) },
                ]
            })
    }

    /// The kinds that a list of words names.
    private static func kinds(_ text: String?) throws(AdminError) -> [DeviceEvent.Kind] {
        guard let text else { return [] }
        var kinds: [DeviceEvent.Kind] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = DeviceEvent.Kind(rawValue: String(word)) else {
                throw unknownWord("kind", String(word), DeviceEvent.Kind.allCases.map(\.rawValue))
            }
            kinds.append(kind)
        }
        return kinds
    }
}
