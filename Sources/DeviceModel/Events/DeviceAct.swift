/// What the person or an app does on a device.
package enum DeviceAct: Sendable, Hashable, Codable {
    // MARK: The person
    case lock
    /// With the passcode or the face; lights the screen.
    case unlock
    /// Lights the screen without unlocking.
    case wake
    /// Brings an app to the front; nil goes to the home screen.
    case open(app: String?)
    case terminate(app: String)
    case restart
    /// Removes an app with everything that it has on the device.
    case uninstall(app: String)
    case tap(notification: UInt64)
    case dismiss(notification: UInt64)
    /// Clears the Notification Center, of one app or all.
    case clear(app: String?)
    /// Presses a button of a notification; `text` is what was written into its field.
    case perform(action: String, text: String?, notification: UInt64)
    /// Agrees that a notification's sender is the contact that the system suggests.
    case confirmContact(notification: UInt64)
    /// Turns on a Focus; nil turns it off.
    case switchFocus(id: String?)
    /// Answers what the system asked: `leaveOn`, `turnOff`, `keep`, `keepInSummary`.
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

    /// What the person answers to the system's questions about an app.
    package enum PromptChoice: String, CaseIterable, Codable, Sendable {
        /// Time Sensitive notifications stay on.
        case leaveOn
        /// Time Sensitive notifications, or after a quiet notification all of them, are turned off.
        case turnOff
        /// Quiet notifications go on as they are.
        case keep
        /// Quiet notifications come with the scheduled summary.
        case keepInSummary
    }

    /// The word in API, command line and log.
    package var name: String {
        switch self {
        case .lock: "lock"
        case .unlock: "unlock"
        case .wake: "wake"
        case .open: "open"
        case .terminate: "terminate"
        case .restart: "restart"
        case .uninstall: "uninstall"
        case .tap: "tap"
        case .dismiss: "dismiss"
        case .clear: "clear"
        case .perform: "perform"
        case .confirmContact: "confirmContact"
        case .switchFocus: "switchFocus"
        case .answer: "answer"
        case .setBadge: "setBadge"
        case .removeDelivered: "removeDelivered"
        case .removeAllDelivered: "removeAllDelivered"
        case .setCategories: "setCategories"
        }
    }
}
