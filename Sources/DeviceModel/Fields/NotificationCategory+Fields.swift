package import Fields

extension NotificationCategory: FieldDescribed {
    /// How many actions a category takes (Apple, `UNNotificationCategory.init(identifier:actions:…)`: "up to 10").
    private static let actionCount = (range: 0...10, words: "at most 10")

    package static let fields: [Field<NotificationCategory>] = [
        Field("identifier", \.identifier, .name, "What aps.category says."),
        Field("actions", \.actions, .list(.object, count: actionCount), "The buttons, in their order."),
        Field(
            "intentIdentifiers", \.intentIdentifiers, .list(.name),
            "The intents that notifications of this kind belong to."),
        Field("options", \.options, .list(.word()), "How its notifications behave."),
        Field(
            "hiddenPreviewsBodyPlaceholder", \.hiddenPreviewsBodyPlaceholder, .optional(.text),
            "The body that hidden previews show; %u stands for the number in a group."),
        Field(
            "summaryFormat", \.summaryFormat, .optional(.text),
            "What stands under a group; %u stands for the number of further notifications."),
    ]

    package static let checks: [FieldCheck<NotificationCategory>] = [
        .filled("category.identifier", "identifier", \.identifier),
        .unique("category.actions", "actions", \.actions, by: "identifier", \.identifier),
    ]

    package static var blank: Self { Self() }
}

extension NotificationAction: FieldDescribed {
    package static let fields: [Field<NotificationAction>] = [
        Field("identifier", \.identifier, .name, "What the app is told."),
        Field("title", \.title, .name, "The button's text."),
        Field("options", \.options, .list(.word()), "How the button behaves."),
        Field("icon", \.icon, .optional(.object), "The glyph at the trailing end of the title."),
        Field("textInput", \.textInput, .optional(.object), "What makes it a text field; absent for a plain button."),
    ]

    package static let checks: [FieldCheck<NotificationAction>] = [
        .filled("action.identifier", "identifier", \.identifier), .filled("action.title", "title", \.title),
    ]

    package static var blank: Self { Self() }
}

extension NotificationAction.Icon: FieldDescribed {
    package static let fields: [Field<NotificationAction.Icon>] = [
        Field("systemImageName", \.systemImageName, .optional(.name), "An SF symbol's name."),
        Field("templateImageName", \.templateImageName, .optional(.name), "The name of an image of the app."),
    ]

    package static let checks: [FieldCheck<NotificationAction.Icon>] = [
        FieldCheck("icon.source") { icon in
            guard (icon.systemImageName == nil) == (icon.templateImageName == nil) else { return [] }
            let found = icon.systemImageName == nil ? "names no image" : "names two images"
            return [FieldProblem(FieldPath(), found, "accepted: systemImageName or templateImageName")]
        }
    ]

    package static var blank: Self { Self() }
}

extension NotificationAction.TextInput: FieldDescribed {
    package static let fields: [Field<NotificationAction.TextInput>] = [
        Field("buttonTitle", \.buttonTitle, .name, "The text of the button beside it."),
        Field("placeholder", \.placeholder, .text, "What stands in it while it is empty."),
    ]

    package static let checks: [FieldCheck<NotificationAction.TextInput>] = [
        .filled("textInput.buttonTitle", "buttonTitle", \.buttonTitle)
    ]

    package static var blank: Self { Self() }
}
