/// A kind of notification with its buttons (`UNNotificationCategory`).
public struct NotificationCategory: Sendable, Hashable {
    /// What `aps.category` says.
    public var identifier: String
    /// The buttons, in their order.
    public var actions: [NotificationAction] = []
    /// The intents that notifications of this kind belong to.
    public var intentIdentifiers: [String] = []
    /// How they behave.
    public var options: [Option] = []
    /// The body that hidden previews show; `%u` stands for the number in a group.
    public var hiddenPreviewsBodyPlaceholder: String?
    /// What stands under a group; `%u` stands for the number of further notifications.
    public var summaryFormat: String?

    /// `UNNotificationCategoryOptions`.
    public enum Option: String, CaseIterable, Sendable {
        case customDismissAction, allowInCarPlay, hiddenPreviewsShowTitle, hiddenPreviewsShowSubtitle
        /// Deprecated since iOS 15 and without effect.
        case allowAnnouncement
    }

    /// Makes a category.
    public init(identifier: String = "", actions: [NotificationAction] = [], options: [Option] = []) {
        self.identifier = identifier
        self.actions = actions
        self.options = options
    }
}

/// A button of a notification (`UNNotificationAction`, `UNTextInputNotificationAction`).
public struct NotificationAction: Sendable, Hashable {
    /// What the app is told.
    public var identifier: String
    /// The button's text.
    public var title: String
    /// How it behaves.
    public var options: [Option] = []
    /// The glyph at the trailing end of the title.
    public var icon: Icon?
    /// What makes it a text field; nil for a plain button.
    public var textInput: TextInput?

    /// `UNNotificationActionOptions`.
    public enum Option: String, CaseIterable, Sendable {
        case authenticationRequired, destructive, foreground
    }

    /// `UNNotificationActionIcon`.
    public struct Icon: Sendable, Hashable {
        /// An SF symbol's name.
        public var systemImageName: String?
        /// The name of an image of the app.
        public var templateImageName: String?

        /// Makes an icon.
        public init(systemImageName: String? = nil, templateImageName: String? = nil) {
            self.systemImageName = systemImageName
            self.templateImageName = templateImageName
        }
    }

    /// The text field of an action.
    public struct TextInput: Sendable, Hashable {
        /// The text of the button beside it.
        public var buttonTitle: String
        /// What stands in it while it is empty.
        public var placeholder: String

        /// Makes a text field.
        public init(buttonTitle: String = "", placeholder: String = "") {
            self.buttonTitle = buttonTitle
            self.placeholder = placeholder
        }
    }

    /// Makes a button.
    public init(
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
