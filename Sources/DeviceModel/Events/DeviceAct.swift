package import JSON

/// What the person or an app does on a device.
package enum DeviceAct: Sendable, Hashable, Codable {
    // MARK: The person
    case lock
    /// Lights the screen.
    case unlock
    /// Lights the screen without unlocking.
    case wake
    /// Brings an app to the front; nil goes to the home screen.
    case open(app: String?)
    case terminate(app: String)
    case restart
    /// Removes an app with all its data on the device.
    case uninstall(app: String)
    case tap(notification: UInt64)
    case dismiss(notification: UInt64)
    /// Clears the Notification Center, of one app or all.
    case clear(app: String?)
    /// Presses a button of a notification; `text` was typed into its field.
    case perform(action: String, text: String?, notification: UInt64)
    /// Agrees that a notification's sender is the contact that the system suggests.
    case confirmContact(notification: UInt64)
    /// Turns on a Focus; nil turns it off.
    case switchFocus(id: String?)
    /// Answers a question of the system.
    case answer(choice: PromptChoice, app: String)

    // MARK: An app
    /// `setBadgeCount`.
    case setBadge(count: Int, app: String)
    /// `removeDeliveredNotifications(withIdentifiers:)`.
    case removeDelivered(identifiers: [String], app: String)
    /// `removeAllDeliveredNotifications()`.
    case removeAllDelivered(app: String)
    /// `setNotificationCategories`: replaces the whole set (I.5).
    case setCategories([NotificationCategory], app: String)

    /// What the person answers when the system asks about an app.
    package enum PromptChoice: String, CaseIterable, Codable, Sendable {
        /// Time Sensitive notifications stay on.
        case leaveOn
        /// Time Sensitive notifications, or after a quiet notification all of them, are turned off.
        case turnOff
        /// Quiet notifications stay quiet.
        case keep
        /// Quiet notifications come with the scheduled summary.
        case keepInSummary
    }

    /// The word in API, command line and log: the case's name.
    package var name: String { String("\(self)".prefix { $0 != "(" }) }
}

extension DeviceAct {
    package var notification: UInt64? {
        switch self {
        case .tap(let notification), .dismiss(let notification), .perform(_, _, let notification),
            .confirmContact(let notification):
            notification
        default: nil
        }
    }

    package var app: String? {
        switch self {
        case .open(let app), .clear(let app): app
        case .terminate(let app), .uninstall(let app), .answer(_, let app), .setBadge(_, let app),
            .removeDelivered(_, let app), .removeAllDelivered(let app), .setCategories(_, let app):
            app
        default: nil
        }
    }

    /// The `details` of its event, which has notification and app of its own.
    package var details: JSONObject {
        let action = JSONValue.string(name)
        return switch self {
        case .perform(let identifier, let text, _):
            ["action": action, "actionIdentifier": .string(identifier), "userText": text.map { .string($0) }]
        case .switchFocus(let id): ["action": action, "focus": id.map { .string($0) } ?? .null]
        case .answer(let choice, _): ["action": action, "choice": .string(choice.rawValue)]
        case .setBadge(let count, _): ["action": action, "count": .integer(count)]
        case .removeDelivered(let identifiers, _):
            ["action": action, "identifiers": .array(identifiers.map { .string($0) })]
        case .setCategories(let categories, _):
            ["action": action, "categories": .array(categories.map { .string($0.identifier) })]
        default: ["action": action]
        }
    }
}
