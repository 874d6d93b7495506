package import APNs
package import DeviceModel
package import DeviceSimulator
package import JSON
package import LiveModel
package import Time

package struct ActivitiesAnswer: APIShape {
    package var activities: [ActivityAnswer]
    package var outcome: WaitOutcome?

    package static let shape = Shape(["outcome": "Only with `wait`."])
}

package struct ActivityAnswer: APIShape {
    package var id: String
    package var app: String
    package var type: String
    package var environment: APNsEnvironment
    package var state: LiveActivity.State
    package var origin: LiveActivity.Origin
    package var style: LiveActivity.Style
    package var attributes: JSONValue
    package var content: JSONValue
    /// As a person reads it.
    package var title: String
    package var lines: [String]
    package var relevance: Double
    /// In seconds since 1970, of the content.
    package var timestamp: Double
    package var staleDate: Instant?
    package var startsAt: Instant?
    package var startedAt: Instant
    package var endedAt: Instant?
    package var dismissAt: Instant?
    package var heldUntil: Instant?
    package var push: Push
    package var log: [LogEntry]
    package var droppedLogCount: Int

    package static let shape = Shape([
        "id": .filled(),
        "app": .ref("Topic"),
        "type": "The Swift type of its attributes.",
        "state": .ref("ActivityState"),
        "attributes": .type("type: object"),
        "content": .type("type: object"),
        "title": "As a person reads it, by the type's template.",
        "timestamp": "Of the content, in seconds since 1970.",
        "startsAt": "Of a pending activity.",
        "dismissAt": "When it leaves the lock screen.",
        "heldUntil": "When the device applies an update beyond the budget, with `holdUntilRefill`.",
        "log": "What became of the latest pushes and acts, oldest first.",
    ])

    package struct Push: APIShape {
        package var kind: LiveActivity.Push.Kind
        package var token: DeviceToken?
        package var former: [DeviceToken]
        package var channel: String?
        package var isConsentPending: Bool

        package static let shape = Shape([
            "former": "Earlier tokens, oldest first.",
            "channel": .filled(),
            "isConsentPending": "Whether the token waits for the person's consent.",
        ])
    }

    package struct LogEntry: APIShape {
        package var at: Instant
        /// The `apns-id` of a push, or the `apns-unique-id` of a broadcast.
        package var apnsId: String?
        package var what: String
        package var outcome: String
        package var reason: DiscardReason?

        package static let shape = Shape([
            "apnsId": "Of a push; of a broadcast, its apns-unique-id.",
            "outcome": .words("applied, dropped"),
        ])
    }

    init(_ activity: LiveActivity, _ text: ActivityText) {
        (id, app, type, environment) = (activity.id, activity.bundleID, activity.type, activity.environment)
        (state, origin, style) = (activity.state, activity.origin, activity.style)
        (attributes, content) = (activity.attributes, activity.content)
        (title, lines) = (text.title, text.lines)
        (relevance, timestamp, staleDate) = (activity.relevance, activity.lastTimestamp, activity.staleDate)
        (startsAt, startedAt, endedAt) = (activity.startsAt, activity.startedAt, activity.endedAt)
        (dismissAt, heldUntil) = (activity.dismissAt, activity.held?.until)
        let push = activity.push
        self.push = Push(
            kind: push.kind, token: push.token, former: push.previous, channel: push.channel,
            isConsentPending: push.consentPending)
        log = activity.log.map { entry in
            LogEntry(
                at: entry.at, apnsId: entry.id, what: entry.what,
                outcome: entry.reason == nil ? "applied" : "dropped", reason: entry.reason)
        }
        droppedLogCount = activity.droppedLogCount
    }
}

package struct ActivitySettingsAnswer: APIShape {
    package var setting: LiveSettings.Setting
    package var frequentEnabled: Bool
    package var updates: Budget
    package var starts: Budget
    package var pushToStart: [StartToken]

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
        package var token: DeviceToken
        package var environment: APNsEnvironment
        package var type: String?
        package var isCurrent: Bool
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
