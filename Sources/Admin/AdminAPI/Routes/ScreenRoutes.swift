internal import Clients
package import DeviceModel
package import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import LiveModel
internal import Time

/// What the person sees on a device, and which notifications its apps can read.
extension AdminAPI {
    var screenEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/devices/{name}/screen", .events, "What the person can see on the device", id: "screen",
                answer: "Lock screen and Notification Center in stacks, newest first.", errors: [404]
            ) { request in ScreenAnswer(try screen(request)) },
            Endpoint(
                .get, "/devices/{name}/delivered", .events, "The result of an app's `getDeliveredNotifications`",
                id: "delivered", answers: [.ok("The notifications, newest first.", "DeliveredNotifications")],
                errors: [404], query: ["app"]
            ) { request in
                guard let app = request.query["app"] else {
                    throw AdminError.badRequest("'app' is missing: the bundle identifier of the app.")
                }
                let delivered = try screen(request).delivered(to: app)
                return Response(json: ["notifications": .array(delivered.map { JSONValue(delivered: $0) })])
            },
        ]
    }

    func screen(_ request: AdminRequest) throws -> Screen {
        let device = try self.device(request).name
        return try gateway.simulator.screen(of: device, at: gateway.now()).found(
            or: "There is no device '\(device)'.")
    }
}

extension JSONValue {
    /// A notification in an app's list of delivered ones.
    fileprivate init(delivered notification: Notification) {
        self = [
            "identifier": .string(notification.identifier),
            "notification": .integer(notification.sequence),
            "date": .time(notification.settledAt),
            "content": notification.localizedContent.json,
        ]
    }
}

extension ScreenAnswer.Stack {
    fileprivate init(_ stack: Screen.Stack, on screen: Screen) {
        let (top, count) = (stack.notifications[0], stack.notifications.count)
        self.init(
            app: top.context.app.bundleID, thread: top.content.threadIdentifier.ifAny, count: count, text: stack.text,
            notifications: stack.notifications.map { ScreenAnswer.card($0, on: screen, count: count) })
    }
}

extension ScreenAnswer {
    fileprivate static func card(_ notification: Notification, on screen: Screen, count: Int = 1) -> Card {
        let text = screen.displayed(notification, count: count)
        let buttons = notification.category?.buttons(screen.assumptions) ?? []
        let suggestion = text.isHidden ? nil : notification.suggestion(on: screen.conditions)
        return Joined(
            Place(
                notification: notification.sequence, identifier: notification.identifier,
                at: notification.settledAt,
                section: notification.isUnderFocus ? Presentation.focusSection : nil),
            Joined(
                DisplayedTextAnswer((text, notification)),
                Choices(
                    suggestion: suggestion.map { Joined(SuggestionKind(), $0) },
                    buttons: buttons.isEmpty ? nil : buttons.map { Button($0) })))
    }
}

struct ScreenAnswer: AnswerTable {
    let source: Screen

    static let rows: [Row<Screen>] =
        ofDevice + [
            Row(
                "banner", { screen in screen.banner.map { card($0, on: screen) } },
                "The banner over an unlocked device, for 5 s or, if persistent, until the person acts on it."),
            Row("lockScreen") { screen in screen.stacks(screen.lockScreen).map { Stack($0, on: screen) } },
            Row(
                "notificationCenter",
                { screen in
                    screen.stacks(screen.notificationCenter, promotesCommunication: true).map { Stack($0, on: screen) }
                },
                "Stacks with a communication notification come first."),
            Row(
                "summary",
                { screen in
                    screen.summary(in: screen.notificationCenter + screen.lockScreen).map {
                        Summary(count: $0.count, notifications: $0.featured.map { card($0, on: screen) })
                    }
                },
                .ref(
                    "ScreenSummary",
                    "What scheduled summaries delivered and the person has not removed; also in the lists.")),
            Row(
                "nextSummary",
                { screen in
                    screen.upcomingSummary.map {
                        Summary(
                            at: $0.at, count: $0.count, notifications: $0.notifications?.map { card($0, on: screen) })
                    }
                },
                .ref("NextSummary", "Absent without a scheduled summary.")),
            Row(
                "badges",
                { screen -> JSONObject in
                    let badges = screen.apps.map(\.app.bundleID).map { ($0, screen.badge(of: $0)) }
                    return JSONObject(badges.filter { $0.1 > 0 }.map { ($0, .integer($1)) })
                },
                .with("additionalProperties: {type: integer, minimum: 1}", "By bundle identifier.")),
            Row("prompts", \.questions, "Questions of the system; the action `answer` answers them."),
            Row("call", \.call, "An incoming call, which covers the screen."),
            Row("speaker", \.speaker, "Who speaks over Push to Talk."),
            Row(
                "activities", { $0.activities == ActivitySurfaces() ? nil : $0.activities },
                "Live Activities; absent without any."),
        ]

    private static let ofDevice: [Row<Screen>] = [
        Row("at", \.at),
        Row("timeZone", \.conditions.timeZone, "The IANA name of the device's time zone."),
        Row("locale", \.conditions.locale),
        Row("isPoweredOn", \.conditions.isPoweredOn),
        Row("isLocked", \.conditions.isLocked),
        Row("isScreenOn", \.conditions.isScreenOn),
        Row("foregroundApp", \.conditions.foregroundApp),
        Row("focus") { $0.conditions.focus.activeMode.map { Focus(id: $0.id, name: $0.name) } },
    ]

    struct Focus: APIShape {
        var id: String
        var name: String

        static let shape = Shape(["id": .filled()])
    }

    /// Top notification first.
    struct Stack: APIShape {
        var app: String
        var thread: String?
        var count: Int
        var text: String?
        var notifications: [Card]

        static let shape = Shape(
            name: "Stack",
            about: "Grouped notifications, by the app's setting for grouping.",
            [
                "text": "The text below the top notification."
            ])
    }

    typealias Card = Joined<Place, Joined<DisplayedTextAnswer, Choices>>

    struct Place: APIShape {
        var notification: UInt64
        var identifier: String
        var at: Instant
        var section: String?

        static let shape = Shape([
            "notification": .positive(),
            "section": .type(
                "const: whileInFocus",
                "On the lock screen: a Focus silenced it. It stays in this section after the Focus ends."),
        ])
    }

    struct Choices: APIShape {
        var suggestion: SuggestionAnswer?
        var buttons: [Button]?

        static let shape = Shape(name: "Card")
    }

    struct Button: AnswerTable {
        let source: NotificationAction

        static let rows: [Row<NotificationAction>] = [
            Row("identifier", \.identifier),
            Row("title", \.title),
            Row("glyph", \.glyph),
            Row("isRed", \.isRed),
            Row("opensApp", \.opensApp),
            Row("needsUnlock", \.needsUnlock),
            Row("takesText") { $0.textInput != nil },
        ]
    }

    struct Summary: APIShape {
        var at: Instant?
        var count: Int
        var notifications: [Card]?
    }
}

extension Screen.Voice: APIShape {
    package static let shape = Shape(
        name: "ScreenVoice", ["app": .ref("Topic"), "name": "Absent if the app does not say who it is."])
}

extension Screen.Question: APIShape {
    package static let shape = Shape(name: "ScreenPrompt", ["text": "The question; `screen.svg` shows it."])
}

struct DisplayedTextAnswer: AnswerTable {
    let source: (text: DisplayedText, notification: Notification)

    static let rows: [Row<(text: DisplayedText, notification: Notification)>] = [
        Row("appName", \.text.appName),
        Row(
            "title", \.text.title,
            "The sender of a communication notification; the app's name if the content has no title."),
        Row("subtitle", \.text.subtitle.ifAny),
        Row("body", \.text.body.ifAny),
        Row("isHidden", \.text.isHidden, "Whether the preview is hidden."),
        Row("label", \.text.label, "The system's label beside the title, such as Time Sensitive."),
        Row("isCommunication", \.text.isCommunication, "Whether it is shown as a communication notification."),
        Row(
            "avatar", { text, notification in text.avatar.map { Avatar($0, of: notification) } },
            .with(
                "minProperties: 1, maxProperties: 1",
                "The picture of the sender or group; absent while the preview is hidden.")),
        Row(
            "watchSubtitle", \.text.watchSubtitle,
            "The subtitle of a group message on an Apple Watch: the recipients by their first names."),
        Row(
            "thumbnail",
            { text, notification in
                let file = (text.isHidden ? nil : notification.thumbnail).map { $0.identifier.ifAny ?? $0.sha256 ?? "" }
                return file.map {
                    "\(Endpoint.base)/notifications/\(notification.sequence)/attachments/\(percentEncoded($0))"
                }
            },
            .with(
                "format: uri-reference",
                "The path of the attachment whose thumbnail is shown; absent while the preview is hidden.")),
    ]

    struct Avatar: APIShape {
        var image: String?
        var monogram: String?

        static let shape = Shape([
            "image": .with("format: uri-reference", "The path of the picture."),
            "monogram": "The initials; empty without a name.",
        ])

        fileprivate init(_ avatar: CommunicationDisplay.Avatar, of notification: Notification) {
            switch avatar {
            case .image(let digest):
                image = "\(Endpoint.base)/devices/\(percentEncoded(notification.device))/images/\(digest)"
            case .monogram(let letters): monogram = letters
            }
        }
    }
}

/// A contact the system suggests for a sender until the person confirms it.
typealias SuggestionAnswer = Joined<SuggestionKind, ContactAssociation>

struct SuggestionKind: APIShape {
    var kind = "contactAssociation"

    static let shape = Shape(
        name: "Suggestion",
        about: "A contact with the sender's name, which alone is no match; the action `confirmContact` confirms it.",
        [
            "kind": .type("const: contactAssociation")
        ])
}

extension ContactAssociation: APIShape {
    package static let shape = Shape([
        "person": "`person:BUNDLE/ID`: the app's identifier of the sender.",
        "contact": "The contact's identifier.",
    ])
}
