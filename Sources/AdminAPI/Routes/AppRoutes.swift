internal import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird

/// Apps that devices may have installed.
struct AppRoutes: Sendable {
    let gateway: Gateway

    private static let fields = ["bundleId", "displayName", "team", "entitlements"]

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/apps") { _ in
                Response(json: ["apps": .array(gateway.simulator.apps().map { JSONTree($0) })])
            },
            Endpoint(.get, "/apps/{bundleId}") { request in
                Response(json: JSONTree(try app(request)))
            },
            Endpoint(.put, "/apps/{bundleId}") { request in
                let bundleID = try checkedTopic(try request.parameter("bundleId"), field: "bundleId")
                let isKnown = gateway.simulator.app(bundleID) != nil
                let app = try await edit(App(bundleID: bundleID), request)
                return Response(json: JSONTree(app), status: isKnown ? .ok : .created)
            },
            Endpoint(.patch, "/apps/{bundleId}") { request in
                Response(json: JSONTree(try await edit(try app(request), request)))
            },
            Endpoint(.delete, "/apps/{bundleId}") { request in
                let isRemoved = gateway.simulator.deleteApp(try request.parameter("bundleId"))
                return Response(json: ["removed": .integer(isRemoved ? 1 : 0)])
            },
        ]
    }

    private func app(_ request: AdminRequest) throws(AdminError) -> App {
        let bundleID = try request.parameter("bundleId")
        guard let app = gateway.simulator.app(bundleID) else {
            throw .notFound("There is no app '\(bundleID.prefix(200))'; make it with PUT /api/v1/apps/{bundleId}.")
        }
        return app
    }

    /// Changes what the body names, and keeps the app.
    private func edit(_ app: App, _ request: AdminRequest) async throws -> App {
        var app = app
        let object = try await request.object(accepting: Self.fields)
        if let bundleID = try object.string("bundleId"), bundleID != app.bundleID {
            throw AdminError.badRequest("'bundleId' is '\(bundleID.prefix(60))', but the path says '\(app.bundleID)'.")
        }
        if let name = try object.string("displayName") { app.displayName = name }
        if let team = try object.string("team") { app.team = team }
        if let entitlements = try object.strings("entitlements") { app.entitlements = entitlements }
        gateway.simulator.put(app)
        return app
    }
}
