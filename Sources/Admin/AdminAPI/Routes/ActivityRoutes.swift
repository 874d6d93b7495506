internal import APNs
internal import DeviceModel
package import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
package import JSON
package import LiveModel
internal import Time

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
                answers: [.ok("The activities.", "Activities")], errors: [404],
                query: ["app", "state", "wait", "count"], listActivities),
            Endpoint(
                .post, path, .activities, "Start a Live Activity as the app in the foreground does",
                id: "startActivity",
                about: """
                    An error begins with the name that ActivityKit gives it, such as `visibility` or
                    `targetMaximumExceeded`.
                    """,
                body: .required("NewActivityStart"), answers: [.created("The activity.", "Activity")],
                errors: [404, 409]
            ) { request in
                let device = try self.device(request).name
                var start = ActivityStart()
                start.environment = gateway.settings.defaultEnvironment
                try start.apply(try await request.description(isNeeded: true))
                let events = try gateway.perform(.activity(.start(start)), on: device)
                // Others that were due come first.
                let started = events.last { $0.kind == .activityStarted || $0.kind == .activityPending }
                let id = started?.details["activity"]?.string ?? ""
                return Response(try activity(id, on: device), status: .created)
            },
            Endpoint(
                .get, path + "/{id}", .activities,
                "One activity, with its tokens and what became of its latest updates", id: "activity",
                answers: [.ok("The activity.", "Activity")], errors: [404]
            ) { request in
                let device = try self.device(request).name
                return Response(try activity(try request.parameter("id"), on: device))
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
                id: "activitySettings", answers: [.ok("The settings.", "ActivitySettings")], errors: [404]
            ) { request in
                try settings(of: try request.parameter("bundleId", .topic), on: try self.device(request).name)
            },
            change(
                .patch, path, "Change an app's switches, as the person does in Settings", id: "changeActivitySettings",
                body: .optional("NewLiveSettingsChange"), without: Self.ignoredSettings
            ) { app, body in
                .settings(app: app, try LiveSettingsChange(json: body))
            },
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
            .post, path, .activities, summary, id: id, body: body, answers: [.ok("The activity.", "Activity")],
            errors: [404, 409]
        ) { request in
            let body = try await request.description()
            let device = try self.device(request).name
            let id = try activity(try request.parameter("id"), on: device).id
            try gateway.perform(.activity(try input(id, body)), on: device)
            return Response(try activity(id, on: device))
        }
    }

    private func change(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, id: String, body: Endpoint.Body,
        without ignored: [String] = [], _ input: @escaping Input
    ) -> Endpoint {
        Endpoint(
            method, path, .activities, summary, id: id, body: body,
            answers: [.ok("The settings.", "ActivitySettings")], errors: [404, 409]
        ) { request in
            let body = try await request.description(without: ignored)
            let device = try self.device(request).name
            let app = try request.parameter("bundleId", .topic)
            try gateway.perform(.activity(try input(app, body)), on: device)
            return try settings(of: app, on: device)
        }
    }

    private func settings(of app: String, on device: String) throws -> Response {
        let conditions = gateway.simulator.conditions(of: device) ?? DeviceConditions()
        return Response(
            ActivitySettingsAnswer(
                gateway.simulator.live(of: device).activities.settings(of: app), at: gateway.now(),
                described(app), on: conditions.osVersion, gateway.simulator.assumptions))
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

package struct ActivitiesAnswer: APIShape {
    package var activities: [ActivityAnswer]
    package var outcome: WaitOutcome?
}

package struct ActivityAnswer: APIShape {
    package var id: String
    package var app: String
    package var type: String
    package var environment: String
    package var state: String
    package var origin: String
    package var style: String
    package var attributes: JSONValue
    package var content: JSONValue
    /// As a person reads it.
    package var title: String
    package var lines: [String]
    package var relevance: Double
    /// In seconds since 1970, of the content.
    package var timestamp: Double
    package var staleDate: String?
    package var startsAt: String?
    package var startedAt: String
    package var endedAt: String?
    package var dismissAt: String?
    package var heldUntil: String?
    package var push: Push
    package var log: [LogEntry]
    package var droppedLogCount: Int

    package struct Push: APIShape {
        package var kind: String
        package var token: String?
        package var former: [String]
        package var channel: String?
        package var isConsentPending: Bool
    }

    package struct LogEntry: APIShape {
        package var at: String
        /// The `apns-id` of a push, or the `apns-unique-id` of a broadcast.
        package var apnsId: String?
        package var what: String
        package var outcome: String
        package var reason: String?
    }

    init(_ activity: LiveActivity, _ text: ActivityText) {
        id = activity.id
        app = activity.bundleID
        type = activity.type
        environment = activity.environment.rawValue
        state = activity.state.rawValue
        origin = activity.origin.rawValue
        style = activity.style.rawValue
        attributes = activity.attributes
        content = activity.content
        title = text.title
        lines = text.lines
        relevance = activity.relevance
        timestamp = activity.lastTimestamp
        staleDate = activity.staleDate?.text
        startsAt = activity.startsAt?.text
        startedAt = activity.startedAt.text
        endedAt = activity.endedAt?.text
        dismissAt = activity.dismissAt?.text
        heldUntil = activity.held?.until.text
        let push = activity.push
        self.push = Push(
            kind: push.kind.rawValue, token: push.token?.hex, former: push.previous.map(\.hex), channel: push.channel,
            isConsentPending: push.consentPending)
        log = activity.log.map { entry in
            LogEntry(
                at: entry.at.text, apnsId: entry.id, what: entry.what,
                outcome: entry.reason == nil ? "applied" : "dropped", reason: entry.reason?.rawValue)
        }
        droppedLogCount = activity.droppedLogCount
    }
}

package struct ActivitySettingsAnswer: APIShape {
    package var setting: String
    package var frequentEnabled: Bool
    package var updates: Budget
    package var starts: Budget
    package var pushToStart: [StartToken]

    package struct Budget: APIShape {
        package var spent: Double
        package var limit: Int
        package var period: String
    }

    package struct StartToken: APIShape {
        package var token: String
        package var environment: String
        package var type: String?
        package var isCurrent: Bool
    }

    init(
        _ settings: LiveSettings, at now: Instant, _ app: App, on osVersion: OSVersion, _ assumptions: Assumptions
    ) {
        setting = settings.setting.rawValue
        frequentEnabled = settings.frequentEnabled
        let limit = settings.updateLimit(app, on: osVersion, assumptions)
        updates = Budget(
            spent: settings.updates.count(of: limit, per: .hour, at: now), limit: limit, period: "1h")
        starts = Budget(
            spent: settings.starts.count(of: assumptions.startBudget, per: .day, at: now),
            limit: assumptions.startBudget, period: "1d")
        pushToStart = settings.pushToStart.map { mine in
            let current = settings.pushToStart.last { $0.environment == mine.environment && $0.type == mine.type }
            return StartToken(
                token: mine.token.hex, environment: mine.environment.rawValue, type: mine.type,
                isCurrent: mine == current)
        }
    }
}

/// What a device's surfaces show of Live Activities.
extension LiveScreen: APIShape {}
