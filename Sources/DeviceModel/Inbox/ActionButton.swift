/// A button of a notification as it is shown, with what pressing it takes (I.5).
package struct ActionButton: Sendable, Hashable {
    /// What the app is told.
    package var identifier: String
    package var title: String
    /// The symbol or image at the trailing end of the title (S3-31).
    package var glyph: String?
    /// Whether its title is red (S3-30).
    package var isRed: Bool
    /// Whether pressing it brings the app to the front.
    package var opensApp: Bool
    /// Whether a locked device asks for the passcode or the face first.
    package var needsUnlock: Bool
    /// The text field that it opens.
    package var textInput: NotificationAction.TextInput?

    package init(_ action: NotificationAction) {
        identifier = action.identifier
        title = action.title
        glyph = action.icon?.systemImageName ?? action.icon?.templateImageName
        isRed = action.options.contains(.destructive)
        opensApp = action.options.contains(.foreground)
        // An app cannot come to the front of a locked device.
        needsUnlock = opensApp || action.options.contains(.authenticationRequired)
        textInput = action.textInput
    }
}

extension NotificationCategory {
    package enum ButtonPlace: CaseIterable, Sendable {
        /// With a banner, where there is little room.
        case banner
        /// With the notification opened by touching and holding it.
        case detailView
    }

    /// The most actions that a category may have (Apple, "UNNotificationCategory").
    package static let actionLimit = 10
    /// How many of them a banner has room for (Apple, "UNNotificationCategory").
    package static let bannerActionLimit = 2

    /// The buttons shown, in their order; the first ones where not all have room.
    package func buttons(in place: ButtonPlace, assumptions: Assumptions) -> [ActionButton] {
        let room =
            switch place {
            case .banner: min(Self.bannerActionLimit, assumptions.actionsShown)
            case .detailView: min(Self.actionLimit, assumptions.actionsShown)
            }
        return actions.prefix(max(0, room)).map(ActionButton.init)
    }
}
