internal import APNs
internal import DeviceModel
package import DeviceSimulator
package import JSON
package import LiveModel
internal import Time

package struct ActivitiesAnswer: APIShape {
    package var activities: [ActivityAnswer]
    package var outcome: WaitOutcome?

    package static let shape = Shape(["outcome": .ref("WaitOutcome", "Only with `wait`.")])
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

    package static let shape = Shape([
        "id": .filled(),
        "app": .ref("Topic"),
        "type": "The Swift type of its attributes.",
        "environment": .ref("Environment"),
        "state": .ref("ActivityState"),
        "origin": .words("app, push, schedule"),
        "style": .words("standard, transient"),
        "attributes": .type("type: object"),
        "content": .type("type: object"),
        "title": "As a person reads it, by the type's template.",
        "timestamp": "Of the content, in seconds since 1970.",
        "staleDate": .ref("Time"),
        "startsAt": .ref("Time", "Of a pending activity."),
        "startedAt": .ref("Time"),
        "endedAt": .ref("Time"),
        "dismissAt": .ref("Time", "When it leaves the lock screen."),
        "heldUntil": .ref("Time", "When the device applies an update beyond the budget, with `holdUntilRefill`."),
        "log": "What became of the latest pushes and acts, oldest first.",
    ])

    package struct Push: APIShape {
        package var kind: String
        package var token: String?
        package var former: [String]
        package var channel: String?
        package var isConsentPending: Bool

        package static let shape = Shape([
            "kind": .words("none, token, channel"),
            "token": .ref("DeviceToken"),
            "former": .list("DeviceToken", "Earlier tokens, oldest first."),
            "channel": .filled(),
            "isConsentPending": "Whether the token waits for the person's consent.",
        ])
    }

    package struct LogEntry: APIShape {
        package var at: String
        /// The `apns-id` of a push, or the `apns-unique-id` of a broadcast.
        package var apnsId: String?
        package var what: String
        package var outcome: String
        package var reason: String?

        package static let shape = Shape([
            "at": .ref("Time"),
            "apnsId": "Of a push; of a broadcast, its apns-unique-id.",
            "outcome": .words("applied, dropped"),
            "reason": .ref("DiscardReason"),
        ])
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

    package static let shape = Shape(["setting": .words("undecided, allowed, always, denied")])

    package struct Budget: APIShape {
        package var spent: Double
        package var limit: Int
        package var period: String

        package static let shape = Shape(
            name: "ActivityBudget",
            [
                "spent": .with("minimum: 0"),
                "period": .ref("Duration"),
            ])
    }

    package struct StartToken: APIShape {
        package var token: String
        package var environment: String
        package var type: String?
        package var isCurrent: Bool

        package static let shape = Shape([
            "token": .ref("DeviceToken"),
            "environment": .ref("Environment"),
        ])
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
extension ActivitySurfaces: APIShape {
    package static let shape = Shape(
        name: "LiveScreen", about: "What the device's surfaces show of Live Activities.",
        [
            "lockScreen": "From top to bottom.",
            "banner": "Of an alert of the last 5 s on a device in use without a Dynamic Island.",
        ])
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
