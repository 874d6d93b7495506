internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON
internal import LiveModel

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
                var settings = table(of: device).settings(of: app)
                try settings.apply(.object(members), besides: ["environment", "voip"])
                let body = MemberReader(.object(members), refusesNull: true)
                let environment = body.value("environment", .word()) ?? gateway.settings.defaultEnvironment
                try body.finish()
                try gateway.perform(.service(.settings(settings, app: app, environment: environment)), on: device)
                return answer(of: app, on: device)
            },
            Endpoint(.get, path + "/replies") { request in
                let (device, app) = try place(request)
                return Response(json: table(of: device).replies(of: app).json)
            },
            Endpoint(.post, path + "/replies") { request in
                let (device, app) = try place(request)
                var replies = table(of: device).replies(of: app)
                try replies.apply(.object(try await request.members()))
                try gateway.perform(.service(.replies(replies, app: app)), on: device)
                return Response(json: replies.json)
            },
        ]
    }

    private func place(_ request: AdminRequest) throws -> (device: String, app: String) {
        (try self.device(request).name, try request.parameter("bundleId", .topic))
    }

    private func table(of device: String) -> ServiceTable { gateway.simulator.live(of: device).services }

    private func answer(of app: String, on device: String) -> Response {
        let table = table(of: device)
        let voip = table.voip(of: app)
        return Response(
            json: table.settings(of: app).json.adding([
                "voip": ["unreported": .integer(voip.unreported), "isWithheld": .bool(voip.isWithheld)]
            ]))
    }
}
