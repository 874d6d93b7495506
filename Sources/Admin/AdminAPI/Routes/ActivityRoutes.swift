internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
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
            let id = try activity(try request.parameter("id"), on: device).source.activity.id
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
        try activities(on: device).first { $0.source.activity.id.lowercased() == id.lowercased() }.found(
            or: "'\(device)' has no activity '\(id.prefix(60))'; it may have been dismissed long ago.")
    }

    /// Oldest first.
    private func activities(on device: String) -> [ActivityAnswer] {
        let conditions = gateway.simulator.conditions(of: device) ?? gateway.simulator.plainConditions
        return gateway.simulator.live(of: device).activities.activities.map { activity in
            let app = described(activity.bundleID)
            let text = ActivityText(
                type: activity.type, attributes: activity.attributes, content: activity.content, app: app,
                device: conditions)
            return ActivityAnswer((activity, text))
        }
    }

    private func listActivities(_ request: AdminRequest) async throws -> Response {
        let device = try self.device(request).name
        let app = try request.query.value("app", .topic)
        let state = try request.query.value("state", .word(LiveActivity.State.self))
        let list: @Sendable () -> [ActivityAnswer] = {
            activities(on: device).filter { answer in
                let activity = answer.source.activity
                return activity.bundleID == app ?? activity.bundleID && activity.state == state ?? activity.state
            }
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

struct ActivitiesAnswer: APIShape {
    var activities: [ActivityAnswer]
    var outcome: WaitOutcome?

    static let shape = Shape(["outcome": "Only with `wait`."])
}

struct ActivityAnswer: AnswerTable {
    let source: (activity: LiveActivity, text: ActivityText)

    static let rows: [Row<(activity: LiveActivity, text: ActivityText)>] = [
        Row("id", \.activity.id, .filled()),
        Row("app", \.activity.bundleID, .ref("Topic")),
        Row("type", \.activity.type, "The Swift type of its attributes."),
        Row("environment", \.activity.environment),
        Row("state", \.activity.state, .ref("ActivityState")),
        Row("origin", \.activity.origin),
        Row("style", \.activity.style),
        Row("attributes", \.activity.attributes, .type("type: object")),
        Row("content", \.activity.content, .type("type: object")),
        Row("title", \.text.title, "As a person reads it, by the type's template."),
        Row("lines", \.text.lines),
        Row("relevance", \.activity.relevance),
        Row("timestamp", \.activity.lastTimestamp, "Of the content, in seconds since 1970."),
        Row("staleDate", \.activity.staleDate),
        Row("startsAt", \.activity.startsAt, "Of a pending activity."),
        Row("startedAt", \.activity.startedAt),
        Row("endedAt", \.activity.endedAt),
        Row("dismissAt", \.activity.dismissAt, "When it leaves the lock screen."),
        Row(
            "heldUntil", \.activity.held?.until,
            "When the device applies an update beyond the budget, with `holdUntilRefill`."),
        Row("push") { Push($0.activity.push) },
        Row(
            "log", { $0.activity.log.map { LogEntry($0) } },
            "What became of the latest pushes and acts, oldest first."),
        Row("droppedLogCount", \.activity.droppedLogCount),
    ]

    struct Push: AnswerTable {
        let source: LiveActivity.Push

        static let rows: [Row<LiveActivity.Push>] = [
            Row("kind", \.kind),
            Row("token", \.token),
            Row("former", \.previous, "Earlier tokens, oldest first."),
            Row("channel", \.channel, .filled()),
            Row("isConsentPending", \.consentPending, "Whether the token waits for the person's consent."),
        ]
    }

    struct LogEntry: AnswerTable {
        let source: LiveActivity.LogEntry

        static let rows: [Row<LiveActivity.LogEntry>] = [
            Row("at", \.at),
            Row("apnsId", \.id, "Of a push; of a broadcast, its apns-unique-id."),
            Row("what", \.what),
            Row("outcome", { $0.reason == nil ? "applied" : "dropped" }, .words("applied, dropped")),
            Row("reason", \.reason),
        ]
    }
}

struct ActivitySettingsAnswer: APIShape {
    var setting: LiveSettings.Setting
    var frequentEnabled: Bool
    var updates: Budget
    var starts: Budget
    var pushToStart: [StartToken]

    struct Budget: APIShape {
        var spent: Double
        var limit: Int
        var period: String

        static let shape = Shape(
            name: "ActivityBudget",
            [
                "spent": .with("minimum: 0"),
                "period": .ref("Duration"),
            ])
    }

    struct StartToken: APIShape {
        var token: DeviceToken
        var environment: APNsEnvironment
        var type: String?
        var isCurrent: Bool
    }

    init(
        _ settings: LiveSettings, at now: Instant, _ app: App, on osVersion: OSVersion, _ assumptions: Assumptions
    ) {
        setting = settings.setting
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
                token: mine.token, environment: mine.environment, type: mine.type, isCurrent: mine == current)
        }
    }
}

/// What a device's surfaces show of Live Activities.
extension ActivitySurfaces: APIShape {
    package static let shape = Shape(
        name: "LiveScreen", about: "What the device's surfaces show of Live Activities.",
        [
            "lockScreen": "From top to bottom.",
            "question": "On the lock screen, until the person answers it.",
            "banner": "Of an alert of the last 5 s on a device in use without a Dynamic Island.",
        ])
}

extension ActivitySurfaces.Question: APIShape {
    package static let shape = Shape(name: "ActivityQuestion", ["app": .ref("Topic")])
}

extension ActivitySurfaces.Island: APIShape {
    package static let shape = Shape(
        name: "LiveScreenIsland",
        [
            "compact": "Of the only app that has any.",
            "minimal": .with("maxItems: 2", "Of two apps: attached, then detached."),
            "expanded": "On a long press, and for 5 s of an alert.",
            "isExpanded":
                "Whether it is expanded now: an alert of the last 5 s expands it, or the activity is transient.",
        ])
}

extension ActivitySurfaces.Card: APIShape {
    package static let shape = Shape(
        name: "ActivityCard",
        [
            "activity": .filled(),
            "state": .ref("ActivityState"),
            "isGreyed": "Whether it shows no content until the device is unlocked.",
            "app": .ref("Topic"),
        ])
}
