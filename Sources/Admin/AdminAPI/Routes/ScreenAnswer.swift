internal import Clients
package import DeviceModel
package import DeviceSimulator
package import JSON
package import LiveModel
package import Time

package struct ScreenAnswer: APIShape {
    package var at: Instant
    package var timeZone: String
    package var locale: String
    package var isPoweredOn: Bool
    package var isLocked: Bool
    package var isScreenOn: Bool
    package var foregroundApp: String?
    package var focus: Focus?
    package var banner: Card?
    package var lockScreen: [Stack]
    package var notificationCenter: [Stack]
    /// Delivered.
    package var summary: Summary?
    package var nextSummary: Summary?
    /// By bundle identifier.
    package var badges: JSONObject
    package var prompts: [Screen.Question]
    /// Live Activities; nil without any.
    package var activities: ActivitySurfaces?

    package static let shape = Shape([
        "timeZone": "The IANA name of the device's time zone.",
        "banner": "The banner over an unlocked device, for 5 s or, if persistent, until the person acts on it.",
        "notificationCenter": "Stacks with a communication notification come first.",
        "summary": .ref(
            "ScreenSummary", "What scheduled summaries delivered and the person has not removed; also in the lists."),
        "nextSummary": .ref("NextSummary", "Absent without a scheduled summary."),
        "badges": .with("additionalProperties: {type: integer, minimum: 1}", "By bundle identifier."),
        "prompts": "Questions of the system; the action `answer` answers them.",
        "activities": "Live Activities; absent without any.",
    ])

    package struct Focus: APIShape {
        package var id: String
        package var name: String

        package static let shape = Shape(["id": .filled()])
    }

    /// Top notification first.
    package struct Stack: APIShape {
        package var app: String
        package var thread: String?
        package var count: Int
        package var text: String?
        package var notifications: [Card]

        package static let shape = Shape(
            name: "Stack",
            about: "Grouped notifications, by the app's setting for grouping.",
            [
                "text": "The text below the top notification."
            ])
    }

    package typealias Card = Joined<Place, Joined<DisplayedTextAnswer, Choices>>

    package struct Place: APIShape {
        package var notification: UInt64
        package var identifier: String
        package var at: Instant
        package var section: String?

        package static let shape = Shape([
            "notification": .positive(),
            "section": .type(
                "const: whileInFocus",
                "On the lock screen: a Focus silenced it. It stays in this section after the Focus ends."),
        ])
    }

    package struct Choices: APIShape {
        package var suggestion: SuggestionAnswer?
        package var buttons: [Button]?

        package static let shape = Shape(name: "Card")
    }

    package struct Button: APIShape {
        package var identifier: String
        package var title: String
        package var glyph: String?
        package var isRed: Bool
        package var opensApp: Bool
        package var needsUnlock: Bool
        package var takesText: Bool

        init(_ button: NotificationAction) {
            (identifier, title, glyph) = (button.identifier, button.title, button.glyph)
            (isRed, opensApp, needsUnlock) = (button.isRed, button.opensApp, button.needsUnlock)
            takesText = button.textInput != nil
        }
    }

    package struct Summary: APIShape {
        package var at: Instant?
        package var count: Int
        package var notifications: [Card]?
    }
}

extension Screen.Question: APIShape {
    package static let shape = Shape(name: "ScreenPrompt", ["text": "The question; `screen.svg` shows it."])
}

package struct DisplayedTextAnswer: APIShape {
    package var appName: String
    package var title: String
    package var subtitle: String?
    package var body: String?
    package var isHidden: Bool
    package var label: String?
    package var isCommunication: Bool
    package var avatar: Avatar?
    package var watchSubtitle: String?
    /// The path of the attachment.
    package var thumbnail: String?

    package static let shape = Shape([
        "title": "The sender of a communication notification; the app's name if the content has no title.",
        "isHidden": "Whether the preview is hidden.",
        "label": "The system's label beside the title, such as Time Sensitive.",
        "isCommunication": "Whether it is shown as a communication notification.",
        "avatar": .with(
            "minProperties: 1, maxProperties: 1",
            "The picture of the sender or group; absent while the preview is hidden."),
        "watchSubtitle": "The subtitle of a group message on an Apple Watch: the recipients by their first names.",
        "thumbnail": .with(
            "format: uri-reference",
            "The path of the attachment whose thumbnail is shown; absent while the preview is hidden."),
    ])

    package struct Avatar: APIShape {
        package var image: String?
        package var monogram: String?

        package static let shape = Shape([
            "image": .with("format: uri-reference", "The path of the picture."),
            "monogram": "The initials; empty without a name.",
        ])
    }
}

extension DisplayedTextAnswer {
    init(_ text: DisplayedText, of notification: Notification) {
        let avatar: Avatar? =
            switch text.avatar {
            case .image(let digest):
                Avatar(image: "\(Endpoint.base)/devices/\(percentEncoded(notification.device))/images/\(digest)")
            case .monogram(let letters): Avatar(monogram: letters)
            case nil: nil
            }
        let thumbnail = text.isHidden ? nil : notification.thumbnail
        let file = thumbnail.map { $0.identifier.ifAny ?? $0.sha256 ?? "" }
        self.init(
            appName: text.appName, title: text.title, subtitle: text.subtitle.ifAny, body: text.body.ifAny,
            isHidden: text.isHidden, label: text.label, isCommunication: text.isCommunication, avatar: avatar,
            watchSubtitle: text.watchSubtitle,
            thumbnail: file.map {
                "\(Endpoint.base)/notifications/\(notification.sequence)/attachments/\(percentEncoded($0))"
            })
    }
}

/// A contact the system suggests for a sender until the person confirms it.
package typealias SuggestionAnswer = Joined<SuggestionKind, ContactAssociation>

package struct SuggestionKind: APIShape {
    package var kind = "contactAssociation"

    package static let shape = Shape(
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
