internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import LiveModel

/// Live Activities: what apps, people and APNs do with them.
extension AdminAPI {
    var activityEndpoints: [Endpoint] {
        let path = "/devices/{name}/activities"
        return [
            Endpoint(
                .get, path, .activities, "A device's Live Activities, oldest first; can wait for more",
                id: "activities",
                about: """
                    With `wait`, answers as soon as `count` activities match, or when the time is over. The latest
                    dismissed activities are listed too.
                    """,
                answers: [.ok("The activities.", .of(ActivitiesAnswer.self))], errors: [404],
                query: ["app", "state", "wait", "count"], listActivities),
            Endpoint(
                .post, path, .activities, "Start a Live Activity as the app in the foreground does",
                id: "startActivity",
                about: """
                    An error begins with the name that ActivityKit gives it, such as `visibility` or
                    `targetMaximumExceeded`.
                    """,
                body: .required("NewActivityStart"), answer: "The activity.", status: .created, errors: [404, 409]
            ) { request in
                let device = try self.device(request).name
                var start = ActivityStart()
                start.environment = gateway.settings.defaultEnvironment
                try start.apply(try await request.description(isNeeded: true))
                let events = try gateway.perform(.activity(.start(start)), on: device)
                // Others that were due come first.
                let started = events.last { $0.kind == .activityStarted || $0.kind == .activityPending }
                let id = started?.details["activity"]?.string ?? ""
                return try activity(id, on: device)
            },
            Endpoint(
                .get, path + "/{id}", .activities,
                "One activity, with its tokens and what became of its latest updates", id: "activity",
                answer: "The activity.", errors: [404]
            ) { request in
                let device = try self.device(request).name
                return try activity(try request.parameter("id"), on: device)
            },
            act(
                path + "/{id}/update", "Update an activity as its app does", id: "updateActivity",
                body: .required("NewActivityUpdate")
            ) { id, body in .update(id, try ActivityUpdate(json: body)) },
            act(
                path + "/{id}/end", "End an activity as its app does", id: "endActivity",
                body: .optional("NewActivityEnd")
            ) { id, body in .end(id, try ActivityEnd(json: body)) },
            act(
                path + "/{id}/dismiss", "Swipe an activity away, as the person does", id: "dismissActivity",
                body: .optional("Nothing")
            ) { id, body in
                try MemberReader(body, accepting: []).finish()
                return .dismiss(id)
            },
            act(
                path + "/{id}/rotate-token", "Give an activity another update token, as APNs may do at any time",
                id: "rotateActivityToken", body: .optional("Nothing")
            ) { id, body in
                try MemberReader(body, accepting: []).finish()
                return .rotateToken(id)
            },
        ] + settingsEndpoints
    }

    /// Read-only members.
    static let ignoredSettings = ["updates", "starts", "pushToStart"]

    /// An app's switches and budgets for Live Activities on a device.
    private var settingsEndpoints: [Endpoint] {
        let path = "/devices/{name}/apps/{bundleId}/live-activities"
        return [
            Endpoint(
                .get, path, .activities, "An app's switches, budgets and push-to-start tokens on a device",
                id: "activitySettings", answer: "The settings.", errors: [404]
            ) { request in
                settings(of: try request.parameter("bundleId", .topic), on: try self.device(request).name)
            },
            change(
                .patch, path, "Change an app's switches, as the person does in Settings", id: "changeActivitySettings",
                body: .optional("NewLiveSettingsChange"), without: Self.ignoredSettings
            ) { app, body in .settings(app: app, try LiveSettingsChange(json: body)) },
            change(
                .post, path + "/answer",
                "Answer the question on the lock screen whether the app may show Live Activities",
                id: "answerActivityConsent", body: .required("ConsentAnswer")
            ) { app, body in
                let reader = MemberReader(body, accepting: ["choice"])
                let choice = reader.required("choice", .word(ConsentAnswer.self))
                try reader.finish()
                return .answer(app: app, choice ?? .deny)
            },
            change(
                .post, path + "/push-to-start",
                "Issue a push-to-start token; a former one still gets 200 and starts nothing", id: "issuePushToStart",
                body: .optional("NewPushToStart")
            ) { app, body in
                let reader = MemberReader(body, accepting: ["environment"])
                let environment = reader.value("environment", .word(APNsEnvironment.self))
                try reader.finish()
                return .issuePushToStart(app: app, environment ?? gateway.settings.defaultEnvironment)
            },
        ]
    }

    /// Made of an activity's id or an app, and the request's body.
    private typealias Input = @Sendable (String, JSONValue) throws -> ActivityInput

    private func act(
        _ path: String, _ summary: String, id: String, body: Endpoint.Body, _ input: @escaping Input
    ) -> Endpoint {
        Endpoint(
            .post, path, .activities, summary, id: id, body: body, answer: "The activity.", errors: [404, 409]
        ) { request in
            let body = try await request.description()
            let device = try self.device(request).name
            let id = try activity(try request.parameter("id"), on: device).id
            try gateway.perform(.activity(try input(id, body)), on: device)
            return try activity(id, on: device)
        }
    }

    private func change(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, id: String, body: Endpoint.Body,
        without ignored: [String] = [], _ input: @escaping Input
    ) -> Endpoint {
        Endpoint(
            method, path, .activities, summary, id: id, body: body,
            answer: "The settings.", errors: [404, 409]
        ) { request in
            let body = try await request.description(without: ignored)
            let device = try self.device(request).name
            let app = try request.parameter("bundleId", .topic)
            try gateway.perform(.activity(try input(app, body)), on: device)
            return settings(of: app, on: device)
        }
    }

    private func settings(of app: String, on device: String) -> ActivitySettingsAnswer {
        let conditions = gateway.simulator.conditions(of: device) ?? DeviceConditions()
        return ActivitySettingsAnswer(
            gateway.simulator.live(of: device).activities.settings(of: app), at: gateway.now(), described(app),
            on: conditions.osVersion, gateway.simulator.assumptions)
    }

    private func described(_ bundleID: String) -> App { gateway.simulator.app(bundleID) ?? App(bundleID: bundleID) }

    // MARK: Activities

    private func activity(_ id: String, on device: String) throws(AdminError) -> ActivityAnswer {
        try activities(on: device).first { $0.id.lowercased() == id.lowercased() }.found(
            or: "'\(device)' has no activity '\(id.prefix(60))'; it may have been dismissed long ago.")
    }

    /// Oldest first.
    private func activities(on device: String) -> [ActivityAnswer] {
        let conditions = gateway.simulator.conditions(of: device) ?? gateway.simulator.plainConditions
        return gateway.simulator.live(of: device).activities.activities.map { activity in
            let app = described(activity.bundleID)
            return ActivityAnswer(
                activity,
                ActivityText(
                    type: activity.type, attributes: activity.attributes, content: activity.content, app: app,
                    device: conditions))
        }
    }

    private func listActivities(_ request: AdminRequest) async throws -> Response {
        let device = try self.device(request).name
        let app = try request.query.value("app", .topic)
        let state = try request.query.value("state", .word(LiveActivity.State.self))
        let list: @Sendable () -> [ActivityAnswer] = {
            activities(on: device).filter { ($0.app == app ?? $0.app) && $0.state == state ?? $0.state }
        }
        return try await request.list(
            now: list,
            wait: { (count: Int, timeout: Duration) in
                await gateway.simulator.wait(
                    for: .init(device: device, topic: nil), timeout: timeout, read: { _ in list() },
                    until: { $0.count >= count })
            },
            answer: { (found: [ActivityAnswer], outcome: WaitOutcome?) in
                ActivitiesAnswer(activities: found, outcome: outcome)
            })
    }
}
