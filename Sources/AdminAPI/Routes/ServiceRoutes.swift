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
                Response(json: try services(request).state.answer)
            },
            Endpoint(.patch, path + "/services") { request in
                let (device, bundleID, state) = try services(request)
                let members = try await request.members()
                var settings = state.settings
                try settings.apply(.object(members), besides: ["environment", "voip"])
                let body = MemberReader(.object(members), refusesNull: true)
                let environment = body.value("environment", .word()) ?? gateway.settings.defaultEnvironment
                try body.finish()
                let input = ServiceInput.settings(settings, app: bundleID, environment: environment)
                try gateway.perform(.service(input), on: device)
                return Response(json: try services(request).state.answer)
            },
            Endpoint(.get, path + "/replies") { request in
                Response(json: try services(request).state.replies.json)
            },
            Endpoint(.post, path + "/replies") { request in
                let (device, bundleID, state) = try services(request)
                var replies = state.replies
                try replies.apply(.object(try await request.members()))
                try gateway.perform(.service(.replies(replies, app: bundleID)), on: device)
                return Response(json: replies.json)
            },
        ]
    }

    private func services(_ request: AdminRequest) throws -> (device: String, bundleID: String, state: AppServices) {
        let device = try self.device(request).name
        let bundleID = try request.parameter("bundleId", .topic)
        return (device, bundleID, gateway.simulator.live(of: device).services[bundleID])
    }
}

extension AppServices {
    fileprivate var answer: JSONValue {
        settings.json.adding([
            "voip": ["unreported": .integer(voip.unreported), "isWithheld": .bool(voip.isWithheld)]
        ])
    }
}
