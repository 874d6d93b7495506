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
                Response(json: try services(request).answer)
            },
            Endpoint(.patch, path + "/services") { request in
                let known = try services(request)
                let members = try await request.members()
                var settings = known.settings
                try settings.apply(.object(members), besides: ["environment", "voip"])
                let body = MemberReader(.object(members), refusesNull: true)
                let environment = body.value("environment", .word()) ?? gateway.settings.defaultEnvironment
                try body.finish()
                let input = ServiceInput.settings(settings, app: known.bundleID, environment: environment)
                try gateway.perform(.service(input), on: known.device)
                return Response(json: try services(request).answer)
            },
            Endpoint(.get, path + "/replies") { request in
                Response(json: try services(request).replies.json)
            },
            Endpoint(.post, path + "/replies") { request in
                let known = try services(request)
                var replies = known.replies
                try replies.apply(.object(try await request.members()))
                try gateway.perform(.service(.replies(replies, app: known.bundleID)), on: known.device)
                return Response(json: replies.json)
            },
        ]
    }

    private func services(_ request: AdminRequest) throws -> AppServicesView {
        let device = try self.device(request).name
        let bundleID = try request.parameter("bundleId", .topic)
        return AppServicesView(device: device, bundleID: bundleID, gateway.simulator.live(of: device).services)
    }
}

private struct AppServicesView {
    let device: String
    let bundleID: String
    let settings: ServiceSettings
    let replies: ServiceReplies
    private let voip: VoIPState

    init(device: String, bundleID: String, _ table: ServiceTable) {
        (self.device, self.bundleID) = (device, bundleID)
        settings = table.settings(of: bundleID)
        replies = table.replies(of: bundleID)
        voip = table.voip(of: bundleID)
    }

    var answer: JSONValue {
        settings.json.adding([
            "voip": ["unreported": .integer(voip.unreported), "isWithheld": .bool(voip.isWithheld)]
        ])
    }
}
