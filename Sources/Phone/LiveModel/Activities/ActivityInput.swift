package import APNs
internal import DeviceModel
package import Fields
package import JSON
package import Time

/// An input from the app, the person or the system to Live Activities.
package enum ActivityInput: Hashable, Codable, Sendable {
    /// `Activity.request` by the app.
    case start(ActivityStart)
    case update(String, ActivityUpdate)
    case end(String, ActivityEnd)
    /// The person swipes the activity away, or collapses a transient one or taps outside.
    case dismiss(String)
    /// The person answers the prompt on the lock screen.
    case answer(app: String, ConsentAnswer)
    case settings(app: String, LiveSettingsChange)
    /// Replaces the activity's token (T4).
    case rotateToken(String)
    /// The system issues the app's first or next push-to-start token (T1, T7).
    case issuePushToStart(app: String, APNsEnvironment)

    /// The app that it concerns, other than by its settings; nil for that of an activity.
    package var app: String? {
        switch self {
        case .start(let start): start.bundleID
        case .answer(let app, _), .issuePushToStart(let app, _): app
        case .update, .end, .dismiss, .settings, .rotateToken: nil
        }
    }
}

package enum ConsentAnswer: String, CaseIterable, Codable, Sendable {
    case allow, alwaysAllow, deny

    /// On the question's button.
    package var words: String {
        switch self {
        case .allow: "Allow"
        case .alwaysAllow: "Always Allow"
        case .deny: "Don’t Allow"
        }
    }
}

/// Parameters of `Activity.request`.
package struct ActivityStart: FieldDescribed, Hashable {
    package var bundleID = ""
    package var type = ""
    package var environment = APNsEnvironment.sandbox
    package var attributes = JSONValue.object([:])
    package var content = JSONValue.object([:])
    package var push = ActivityPushType.none
    package var startsAt: Instant?
    package var staleDate: Instant?
    package var relevance = 0.0
    package var style = LiveActivity.Style.standard
    package var alert: ActivityAlertText?
    package var isIntent = false

    package init() {}

    package static let fields: [Field<ActivityStart>] = [
        Field("app", \.bundleID, .name, "The bundle identifier.").required,
        Field("type", \.type, .name, "The name of the attributes' Swift type.").required,
        Field("environment", \.environment, .word(), "The APNs environment of its token or channel."),
        Field("attributes", \.attributes, .anyObject, "The static members."),
        Field("content", \.content, .anyObject, "The content state."),
        Field("push", \.push, .pushType, "How a server updates it."),
        Field("startsAt", \.startsAt, .optional(.instant), "When the activity starts; if absent, now."),
        Field("staleDate", \.staleDate, .optional(.instant), "When its content is out of date."),
        Field(
            "relevance", \.relevance, .number(atLeast: 0),
            "The relevance score; the app's activity with the highest is shown first."),
        Field("style", \.style, .word(), "Whether it is transient."),
        Field("alert", \.alert, .optional(.object), "The alert of a scheduled start; required with startsAt."),
        Field("isIntent", \.isIntent, .flag, "Whether a LiveActivityIntent starts it, even in the background."),
    ]
}

package struct ActivityUpdate: FieldDescribed, Hashable {
    package var content: JSONValue?
    package var staleDate: Instant?
    package var relevance = 0.0
    package var timestamp: Instant?
    package var alert: ActivityAlertText?

    package init() {}

    package static let fields: [Field<ActivityUpdate>] = [
        Field("content", \.content, .optional(.anyObject), "The new content state, as a whole."),
        Field("staleDate", \.staleDate, .optional(.instant), "When the content is out of date."),
        Field(
            "relevance", \.relevance, .number(atLeast: 0),
            "The relevance score; the app's activity with the highest is shown first."),
        Field("timestamp", \.timestamp, .optional(.instant), "When the content was created; if absent, now."),
        Field("alert", \.alert, .optional(.object), "Alerts the person."),
    ]

    package static let checks: [FieldCheck<ActivityUpdate>] = [
        FieldCheck(at: "content", found: "is missing", remedy: "accepted: an object") { $0.content == nil }
    ]
}

package struct ActivityEnd: FieldDescribed, Hashable {
    package var content: JSONValue?
    package var dismissalDate: Instant?
    package var timestamp: Instant?

    package init() {}

    package static let fields: [Field<ActivityEnd>] = [
        Field("content", \.content, .optional(.anyObject), "The final content state; if absent, the content stays."),
        Field(
            "dismissalDate", \.dismissalDate, .optional(.instant),
            "When the activity leaves the lock screen; at most 4 h after its end."),
        Field("timestamp", \.timestamp, .optional(.instant), "When the content was created; if absent, now."),
    ]
}

/// What the person changes in Settings; nil means unchanged.
package struct LiveSettingsChange: FieldDescribed, Hashable {
    package var setting: LiveSettings.Setting?
    package var frequentEnabled: Bool?

    package init() {}

    package static let fields: [Field<LiveSettingsChange>] = [
        Field("setting", \.setting, .optional(.word()), "Whether the app may show Live Activities."),
        Field("frequentEnabled", \.frequentEnabled, .optional(.flag), "The switch for more frequent updates."),
    ]
}

/// `AlertConfiguration`.
package struct ActivityAlertText: FieldDescribed, Hashable {
    package var title = ""
    package var body = ""
    package var sound: String?

    package init() {}

    var alert: ActivityAlert { ActivityAlert(title: title, body: body, sound: sound) }

    package static let fields: [Field<ActivityAlertText>] = [
        Field("title", \.title, .text, "The title, shown on the watch."),
        Field("body", \.body, .text, "The text, shown on the watch."),
        Field("sound", \.sound, .optional(.name), "default, or a file's name."),
    ]
}

/// `PushType` of an activity.
package enum ActivityPushType: Hashable, Sendable {
    case none, token
    /// The channel identifier, in base64.
    case channel(String)
}

extension FieldFormat {
    fileprivate static var pushType: FieldFormat<ActivityPushType> {
        text(
            "none, token or channel:<channel id>",
            read: { text in
                switch text {
                case "none": ActivityPushType.none
                case "token": .token
                default: text.hasPrefix("channel:") && text.count > 8 ? .channel(String(text.dropFirst(8))) : nil
                }
            },
            write: { type in
                switch type {
                case .none: "none"
                case .token: "token"
                case .channel(let id): "channel:\(id)"
                }
            })
    }
}
