internal import APNs
internal import DeviceModel
package import DeviceSimulator
internal import Gateway
internal import Hummingbird
package import JSON

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
        return Response(EventsAnswer(events: events.map { EventAnswer($0) }))
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
            answer: { page, outcome in
                EventsAnswer(
                    events: page.events.map { EventAnswer($0) }, next: String(page.next), hasMore: page.hasMore,
                    hasGap: page.hasGap, outcome: outcome)
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

/// A page of events, or what came of an act.
package struct EventsAnswer: APIShape {
    package var events: [EventAnswer]
    package var next: String?
    package var hasMore: Bool?
    package var hasGap: Bool?
    package var outcome: WaitOutcome?
}

/// An event of a device.
package struct EventAnswer: APIShape {
    package var at: String
    package var event: String
    package var number: UInt64
    package var notification: UInt64?
    package var app: String?
    package var details: JSONValue?

    init(_ event: DeviceEvent) {
        at = event.at.text
        self.event = event.kind.rawValue
        number = event.number
        notification = event.notification
        app = event.app
        details = event.details.isEmpty ? nil : JSONValue.object(event.details).sorted
    }
}
