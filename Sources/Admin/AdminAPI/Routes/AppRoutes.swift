internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import LiveModel

extension AdminAPI {
    var appEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/apps", .apps, "Apps, ordered by bundle identifier", id: "apps",
                answers: [.ok("The apps.", "Apps")]
            ) { _ in Response(json: ["apps": .array(gateway.simulator.apps().map { $0.json })]) },
            Endpoint(
                .get, "/apps/{bundleId}", .apps, "One app", id: "app", answers: [.ok("The app.", "App")],
                errors: [404]
            ) { request in Response(json: try app(request).json) },
            Endpoint(
                .put, "/apps/{bundleId}", .apps, "Create or replace an app", id: "putApp", body: .optional("AppEdit"),
                answers: [.ok("The app.", "App"), .created("The app.", "App")]
            ) { request in
                let bundleID = try request.parameter("bundleId", .topic)
                let members = try await request.members()
                return try edits.perform {
                    let isKnown = gateway.simulator.app(bundleID) != nil
                    let app = try edit(App(bundleID: bundleID), members)
                    return Response(json: app.json, status: isKnown ? .ok : .created)
                }
            },
            Endpoint(
                .patch, "/apps/{bundleId}", .apps, "Change the members in the body", id: "patchApp",
                body: .optional("AppEdit"), answers: [.ok("The app.", "App")], errors: [404]
            ) { request in
                _ = try app(request)
                let members = try await request.members()
                return try edits.perform { Response(json: try edit(try app(request), members).json) }
            },
            Endpoint(
                .delete, "/apps/{bundleId}", .apps, "Delete an app", id: "deleteApp", answers: [.removed]
            ) { request in
                let bundleID = try request.parameter("bundleId", .topic)
                return Response(removed: gateway.simulator.deleteApp(bundleID, at: gateway.now()))
            },
        ]
    }

    private func app(_ request: AdminRequest) throws -> App {
        let bundleID = try request.parameter("bundleId", .topic)
        return try gateway.simulator.app(bundleID).found(
            or: "There is no app '\(bundleID.prefix(200))'; create it with PUT /api/v1/apps/{bundleId}.")
    }

    private func edit(_ app: App, _ members: JSONObject) throws -> App {
        var changed = app
        try changed.apply(.object(members))
        guard changed.bundleID == app.bundleID else {
            throw AdminError.badRequest(
                "'bundleId' is '\(changed.bundleID.prefix(60))', but the path says '\(app.bundleID)'.")
        }
        gateway.simulator.put(changed, at: gateway.now())
        return changed
    }
}

/// An app's widgets, controls, calls and the like on a device, and its scripted replies to their pushes.
extension AdminAPI {
    var serviceEndpoints: [Endpoint] {
        let path = "/devices/{name}/apps/{bundleId}"
        let replies = Endpoint.Answer.ok(
            "The scripted replies; a well-behaved app's reply stands in for each absent member.", "ServiceReplies")
        return [
            Endpoint(
                .get, path + "/services", .apps, "An app's call, channel, widgets, controls and the like on a device",
                id: "services", answers: [.ok("What the app has on the device.", "ServiceSettings")], errors: [404]
            ) { request in
                let (device, app) = try place(request)
                return answer(of: app, on: device)
            },
            Endpoint(
                .patch, path + "/services", .apps,
                "Join a channel, answer a call, place widgets and controls, enrol, and the like", id: "patchServices",
                about: """
                    Changes the members in the body. Joining a Push to Talk channel needs the app in the foreground
                    (409), and a device has one channel (409). Joining, placing the first widget with a push handler,
                    placing a control with one and enrolling issue a token (event `tokenIssued`); leaving and removing
                    unregister it. A device that is switched off changes nothing (409). A device has the services of at
                    most 200 apps (409).
                    """,
                body: .optional("ServiceSettingsEdit"),
                answers: [.ok("What the app has on the device.", "ServiceSettings")], errors: [404, 409]
            ) { request in
                let (device, app) = try place(request)
                let members = try await request.members()
                try edits.perform {
                    var settings = services(of: app, on: device).settings
                    try settings.apply(.object(members), besides: ["environment", "voip"])
                    let body = MemberReader(.object(members), refusesNull: true)
                    let environment = body.value("environment", .word()) ?? gateway.settings.defaultEnvironment
                    try body.finish()
                    try gateway.perform(.service(.settings(settings, app: app, environment: environment)), on: device)
                }
                return answer(of: app, on: device)
            },
            Endpoint(
                .get, path + "/replies", .apps, "What an app does with its pushes on a device", id: "replies",
                answers: [replies], errors: [404]
            ) { request in
                let (device, app) = try place(request)
                return Response(json: services(of: app, on: device).replies.json)
            },
            Endpoint(
                .post, path + "/replies", .apps, "Script what an app does with its pushes on a device",
                id: "setReplies",
                about: """
                    Changes the members in the body; `null` restores the reply of a well-behaved app. The replies apply
                    to all later pushes. A device has the services of at most 200 apps (409).
                    """,
                body: .optional("ServiceRepliesEdit"),
                answers: [replies], errors: [404, 409]
            ) { request in
                let (device, app) = try place(request)
                let members = try await request.members()
                return try edits.perform {
                    var replies = services(of: app, on: device).replies
                    try replies.apply(.object(members))
                    try gateway.perform(.service(.replies(replies, app: app)), on: device)
                    return Response(json: replies.json)
                }
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
