package import Fields

/// A kind of notification with its buttons (`UNNotificationCategory`).
package struct NotificationCategory: Sendable, Hashable {
    package var identifier: String
    package var actions: [NotificationAction] = []
    package var intentIdentifiers: [String] = []
    package var options: [Option] = []
    package var hiddenPreviewsBodyPlaceholder: String?
    package var summaryFormat: String?

    /// `UNNotificationCategoryOptions`.
    package enum Option: String, CaseIterable, Sendable {
        case customDismissAction, allowInCarPlay, hiddenPreviewsShowTitle, hiddenPreviewsShowSubtitle
        /// Deprecated since iOS 15; no effect.
        case allowAnnouncement
    }
}

/// A button of a notification (`UNNotificationAction`, `UNTextInputNotificationAction`).
package struct NotificationAction: Sendable, Hashable {
    package var identifier: String
    package var title = ""
    package var options: [Option] = []
    package var icon: Icon?
    package var textInput: TextInput?

    /// `UNNotificationActionOptions`.
    package enum Option: String, CaseIterable, Sendable { case authenticationRequired, destructive, foreground }

    /// `UNNotificationActionIcon`.
    package struct Icon: FieldDescribed, Hashable {
        package var systemImageName: String?
        package var templateImageName: String?

        package init() {}

        package static let fields: [Field<Icon>] = [
            Field("systemImageName", \.systemImageName, .optional(.name), "An SF symbol's name."),
            Field("templateImageName", \.templateImageName, .optional(.name), "The name of an image of the app."),
        ]

        package static let checks: [FieldCheck<Icon>] = [
            FieldCheck { icon in
                guard (icon.systemImageName == nil) == (icon.templateImageName == nil) else { return [] }
                let found = icon.systemImageName == nil ? "names no image" : "names two images"
                return [FieldProblem(FieldPath(), found, "accepted: systemImageName or templateImageName")]
            }
        ]
    }

    package struct TextInput: Sendable, Hashable {
        package var buttonTitle: String
        package var placeholder = ""
    }
}

extension NotificationCategory {
    /// The buttons of the detail view (I.5), at most ten (Apple, "UNNotificationCategory").
    package func buttons(_ assumptions: Assumptions) -> [NotificationAction] {
        Array(actions.prefix(max(0, min(10, assumptions.actionsShown))))
    }
}

extension NotificationAction {
    /// The symbol or image at the trailing end of the title (S3-31).
    package var glyph: String? { icon?.systemImageName ?? icon?.templateImageName }
    /// S3-30.
    package var isRed: Bool { options.contains(.destructive) }
    package var opensApp: Bool { options.contains(.foreground) }
    /// An app cannot open on a locked device.
    package var needsUnlock: Bool { opensApp || options.contains(.authenticationRequired) }
}

extension NotificationCategory: FieldDescribed {
    /// Apple, `UNNotificationCategory.init(identifier:actions:…)`: "up to 10".
    private static let actionCount = (range: 0...10, words: "at most 10")

    package init() { self.init(identifier: "") }

    package static let fields: [Field<NotificationCategory>] = [
        Field("identifier", \.identifier, .name, "The value of aps.category.").required,
        Field("actions", \.actions, .list(.object, count: actionCount), "The buttons, in their order."),
        Field("intentIdentifiers", \.intentIdentifiers, .list(.name), "The intents that its notifications belong to."),
        Field("options", \.options, .list(.word()), "How its notifications behave."),
        Field(
            "hiddenPreviewsBodyPlaceholder", \.hiddenPreviewsBodyPlaceholder, .optional(.text),
            "The body of hidden previews; %u is the size of the group."),
        Field("summaryFormat", \.summaryFormat, .optional(.text), "A group's line; %u counts the others."),
    ]

    package static let checks: [FieldCheck<NotificationCategory>] = [
        .unique("actions", \.actions, by: "identifier", \.identifier)
    ]
}

extension NotificationAction: FieldDescribed {
    package init() { self.init(identifier: "") }

    package static let fields: [Field<NotificationAction>] = [
        Field("identifier", \.identifier, .name, "The actionIdentifier of a response.").required,
        Field("title", \.title, .name, "The button's text.").required,
        Field("options", \.options, .list(.word()), "How the button behaves."),
        Field("icon", \.icon, .optional(.object), "The glyph at the trailing end of the title."),
        Field("textInput", \.textInput, .optional(.object), "The text field that it opens; absent for a plain button."),
    ]
}

extension NotificationAction.TextInput: FieldDescribed {
    package init() { self.init(buttonTitle: "") }

    package static let fields: [Field<NotificationAction.TextInput>] = [
        Field("buttonTitle", \.buttonTitle, .name, "The text of the button beside the field.").required,
        Field("placeholder", \.placeholder, .text, "The text of the empty field."),
    ]
}
