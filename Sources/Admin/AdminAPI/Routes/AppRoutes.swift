internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON
internal import LiveModel

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

/// An app's widgets, controls, calls and the like on a device, and its scripted replies to their pushes.
extension AdminAPI {
    var serviceEndpoints: [Endpoint] {
        let path = "/devices/{name}/apps/{bundleId}"
        return [
            Endpoint(.get, path + "/services") { request in
                let (device, app) = try place(request)
                return answer(of: app, on: device)
            },
            Endpoint(.patch, path + "/services") { request in
                let (device, app) = try place(request)
                let members = try await request.members()
                var settings = services(of: app, on: device).settings
                try settings.apply(.object(members), besides: ["environment", "voip"])
                let body = MemberReader(.object(members), refusesNull: true)
                let environment = body.value("environment", .word()) ?? gateway.settings.defaultEnvironment
                try body.finish()
                try gateway.perform(.service(.settings(settings, app: app, environment: environment)), on: device)
                return answer(of: app, on: device)
            },
            Endpoint(.get, path + "/replies") { request in
                let (device, app) = try place(request)
                return Response(json: services(of: app, on: device).replies.json)
            },
            Endpoint(.post, path + "/replies") { request in
                let (device, app) = try place(request)
                var replies = services(of: app, on: device).replies
                try replies.apply(.object(try await request.members()))
                try gateway.perform(.service(.replies(replies, app: app)), on: device)
                return Response(json: replies.json)
            },
        ]
    }

    private func place(_ request: AdminRequest) throws -> (device: String, app: String) {
        (try self.device(request).name, try request.parameter("bundleId", .topic))
    }

    private func services(of app: String, on device: String) -> AppServices {
        gateway.simulator.live(of: device).services[app]
    }

    private func answer(of app: String, on device: String) -> Response {
        let services = services(of: app, on: device)
        return Response(
            json: services.settings.json.adding([
                "voip": [
                    "unreported": .integer(services.voip.unreported), "isWithheld": .bool(services.voip.isWithheld),
                ]
            ]))
    }
}
