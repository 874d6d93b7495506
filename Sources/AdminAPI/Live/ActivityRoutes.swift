internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON
internal import LiveModel

/// Live Activities: what apps, people and APNs do with them.
extension AdminAPI {
    var activityEndpoints: [Endpoint] {
        let path = "/devices/{name}/activities"
        return [
            Endpoint(.get, path, query: ["app", "state", "wait", "count"], listActivities),
            Endpoint(.post, path) { request in
                let device = try gateway.device(named: try request.deviceName()).name
                var start = ActivityStart()
                start.environment = gateway.settings.defaultEnvironment
                try start.apply(try await request.description(isNeeded: true))
                let events = try gateway.perform(.activity(.start(start)), on: device)
                let started = events.first { $0.kind == .activityStarted || $0.kind == .activityPending }
                let id = started?.details["activity"]?.string ?? ""
                return Response(try activity(id, on: device), status: .created)
            },
            Endpoint(.get, path + "/{id}") { request in
                let device = try gateway.device(named: try request.deviceName()).name
                return Response(try activity(try request.parameter("id"), on: device))
            },
            Endpoint(.post, path + "/{id}/update") { request in
                try await act(request) { id, body in
                    var update = ActivityUpdate()
                    try update.apply(body)
                    return .update(id, update)
                }
            },
            Endpoint(.post, path + "/{id}/end") { request in
                try await act(request) { id, body in
                    var end = ActivityEnd()
                    try end.apply(body)
                    return .end(id, end)
                }
            },
            Endpoint(.post, path + "/{id}/dismiss") { request in
                try await act(request) { id, body in
                    try MemberReader(body, accepting: []).finish()
                    return .dismiss(id)
                }
            },
            Endpoint(.post, path + "/{id}/rotate-token") { request in
                try await act(request) { id, body in
                    try MemberReader(body, accepting: []).finish()
                    return .rotateToken(id)
                }
            },
        ] + settingsEndpoints
    }

    /// An app's switches and budgets for Live Activities on a device.
    private var settingsEndpoints: [Endpoint] {
        let path = "/devices/{name}/apps/{bundleId}/live-activities"
        return [
            Endpoint(.get, path) { request in
                try settings(of: try request.parameter("bundleId", .topic), try request.deviceName())
            },
            Endpoint(.patch, path) { request in
                try await change(request) { app, body in
                    var change = LiveSettingsChange()
                    try change.apply(body)
                    return .settings(app: app, change)
                }
            },
            Endpoint(.post, path + "/answer") { request in
                try await change(request) { app, body in
                    let reader = MemberReader(body, accepting: ["choice"])
                    let choice = reader.required("choice", .word(ConsentAnswer.self))
                    try reader.finish()
                    return .answer(app: app, choice ?? .deny)
                }
            },
            Endpoint(.post, path + "/push-to-start") { request in
                try await change(request) { app, body in
                    let reader = MemberReader(body, accepting: ["environment"])
                    let environment = reader.value("environment", .word(APNsEnvironment.self))
                    try reader.finish()
                    return .issuePushToStart(app: app, environment ?? gateway.settings.defaultEnvironment)
                }
            },
        ]
    }

    private func act(
        _ request: AdminRequest, _ input: (String, JSONValue) throws -> ActivityInput
    ) async throws -> Response {
        let body = try await request.description()
        let device = try gateway.device(named: try request.deviceName()).name
        let id = try activity(try request.parameter("id"), on: device).id
        try gateway.perform(.activity(try input(id, body)), on: device)
        return Response(try activity(id, on: device))
    }

    private func change(
        _ request: AdminRequest, _ input: (String, JSONValue) throws -> ActivityInput
    ) async throws -> Response {
        let body = try await request.description()
        let device = try gateway.device(named: try request.deviceName()).name
        let app = try request.parameter("bundleId", .topic)
        try gateway.perform(.activity(try input(app, body)), on: device)
        return try settings(of: app, device)
    }

    private func settings(of app: String, _ name: String) throws -> Response {
        let device = try gateway.device(named: name).name
        return Response(
            ActivitySettingsAnswer(
                gateway.simulator.live(of: device).activities.settings(of: app), at: gateway.now(),
                described(app), gateway.simulator.assumptions))
    }

    private func described(_ bundleID: String) -> App { gateway.simulator.app(bundleID) ?? App(bundleID: bundleID) }

    // MARK: Activities

    private func activity(_ id: String, on device: String) throws(AdminError) -> ActivityAnswer {
        let found = activities(on: device).first { $0.id.lowercased() == id.lowercased() }
        guard let found else {
            throw .notFound("'\(device)' has no activity '\(id.prefix(60))'; it may have been dismissed long ago.")
        }
        return found
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
        let device = try gateway.device(named: try request.deviceName()).name
        let app = try request.query.value("app", .topic)
        let state = try request.query.value("state", .word(LiveActivity.State.self))
        let list: @Sendable () -> [ActivityAnswer] = {
            activities(on: device).filter { ($0.app == app ?? $0.app) && $0.state == state?.rawValue ?? $0.state }
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

extension Gateway {
    @discardableResult
    func perform(_ input: LiveInput, on device: String) throws(SimulatorError) -> [DeviceEvent] {
        try simulator.perform(input, on: device, at: now())
    }
}
