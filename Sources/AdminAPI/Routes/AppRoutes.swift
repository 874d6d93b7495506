internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON

extension AdminAPI {
    var appEndpoints: [Endpoint] {
        [
            Endpoint(.get, "/apps") { _ in
                Response(json: ["apps": .array(gateway.simulator.apps().map { $0.json })])
            },
            Endpoint(.get, "/apps/{bundleId}") { request in
                Response(json: try app(request).json)
            },
            Endpoint(.put, "/apps/{bundleId}") { request in
                let bundleID = try request.parameter("bundleId", .topic)
                let isKnown = gateway.simulator.app(bundleID) != nil
                let app = try await edit(App(bundleID: bundleID), request)
                return Response(json: app.json, status: isKnown ? .ok : .created)
            },
            Endpoint(.patch, "/apps/{bundleId}") { request in
                Response(json: try await edit(try app(request), request).json)
            },
            Endpoint(.delete, "/apps/{bundleId}") { request in
                Response(removed: gateway.simulator.deleteApp(try request.parameter("bundleId", .topic)))
            },
        ]
    }

    private func app(_ request: AdminRequest) throws -> App {
        let bundleID = try request.parameter("bundleId", .topic)
        return try gateway.simulator.app(bundleID).found(
            or: "There is no app '\(bundleID.prefix(200))'; create it with PUT /api/v1/apps/{bundleId}.")
    }

    private func edit(_ app: App, _ request: AdminRequest) async throws -> App {
        var changed = app
        try changed.apply(.object(try await request.members()))
        guard changed.bundleID == app.bundleID else {
            throw AdminError.badRequest(
                "'bundleId' is '\(changed.bundleID.prefix(60))', but the path says '\(app.bundleID)'.")
        }
        gateway.simulator.put(changed)
        return changed
    }
}
