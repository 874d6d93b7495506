/// A kind of notification with its buttons (`UNNotificationCategory`).
package struct NotificationCategory: Sendable, Hashable {
    /// What `aps.category` says.
    package var identifier: String
    /// The buttons, in their order.
    package var actions: [NotificationAction] = []
    /// The intents that notifications of this kind belong to.
    package var intentIdentifiers: [String] = []
    /// How they behave.
    package var options: [Option] = []
    /// The body that hidden previews show; `%u` stands for the number in a group.
    package var hiddenPreviewsBodyPlaceholder: String?
    /// What stands under a group; `%u` stands for the number of further notifications.
    package var summaryFormat: String?

    /// `UNNotificationCategoryOptions`.
    package enum Option: String, CaseIterable, Sendable {
        case customDismissAction, allowInCarPlay, hiddenPreviewsShowTitle, hiddenPreviewsShowSubtitle
        /// Deprecated since iOS 15 and without effect.
        case allowAnnouncement
    }

    package init(identifier: String = "", actions: [NotificationAction] = [], options: [Option] = []) {
        self.identifier = identifier
        self.actions = actions
        self.options = options
    }
}

/// A button of a notification (`UNNotificationAction`, `UNTextInputNotificationAction`).
package struct NotificationAction: Sendable, Hashable {
    /// What the app is told.
    package var identifier: String
    /// The button's text.
    package var title: String
    package var options: [Option] = []
    /// The glyph at the trailing end of the title.
    package var icon: Icon?
    /// What makes it a text field; nil for a plain button.
    package var textInput: TextInput?

    /// `UNNotificationActionOptions`.
    package enum Option: String, CaseIterable, Sendable {
        case authenticationRequired, destructive, foreground
    }

    /// `UNNotificationActionIcon`.
    package struct Icon: Sendable, Hashable {
        /// An SF symbol's name.
        package var systemImageName: String?
        /// The name of an image of the app.
        package var templateImageName: String?

        package init(systemImageName: String? = nil, templateImageName: String? = nil) {
            self.systemImageName = systemImageName
            self.templateImageName = templateImageName
        }
    }

    /// The text field of an action.
    package struct TextInput: Sendable, Hashable {
        package var buttonTitle: String
        /// What stands in it while it is empty.
        package var placeholder: String

        package init(buttonTitle: String = "", placeholder: String = "") {
            self.buttonTitle = buttonTitle
            self.placeholder = placeholder
        }
    }

    package init(
        identifier: String = "", title: String = "", options: [Option] = [], icon: Icon? = nil,
        textInput: TextInput? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.icon = icon
        self.textInput = textInput
    }
}
