package import JSON

/// An action of the person or an app on a device.
package enum DeviceAct: Sendable, Hashable, Codable {
    // MARK: The person
    case lock
    /// Also lights the screen.
    case unlock
    /// Lights the screen without unlocking.
    case wake
    /// nil goes to the home screen.
    case open(app: String?)
    case terminate(app: String)
    case restart
    /// Removes an app and its data on the device.
    case uninstall(app: String)
    case tap(notification: UInt64)
    case dismiss(notification: UInt64)
    /// Clears Notification Center for one app; nil for all.
    case clear(app: String?)
    /// Presses a notification's button; `text` was typed into its field.
    case perform(action: String, text: String?, notification: UInt64)
    /// Confirms that a notification's sender is the contact that the system suggests.
    case confirmContact(notification: UInt64)
    /// nil turns Focus off.
    case switchFocus(id: String?)
    case answer(choice: PromptChoice, app: String)
    /// Taps a suggestion, or says its phrase.
    case runSuggestion(id: String)
    /// Allows the person in the Focus, or keeps the widget in the Smart Stack.
    case acceptSuggestion(id: String)
    case dismissSuggestion(id: String)

    // MARK: An app
    /// `setBadgeCount`.
    case setBadge(count: Int, app: String)
    case removeDelivered(identifiers: [String], app: String)
    case removeAllDelivered(app: String)
    /// `setNotificationCategories`: replaces the whole set (I.5).
    case setCategories([NotificationCategory], app: String)

    /// An answer to the system's prompt about an app.
    package enum PromptChoice: String, CaseIterable, Codable, Sendable {
        case leaveOn
        /// Turns off Time Sensitive notifications or, after a quiet notification, all of them.
        case turnOff
        case keep
        /// Quiet notifications move to the scheduled summary.
        case keepInSummary

        /// On the prompt's button.
        package var words: String {
            switch self {
            case .leaveOn: "Leave on"
            case .turnOff: "Turn off"
            case .keep: "Keep"
            case .keepInSummary: "Keep in the summary"
            }
        }
    }

    /// The case's name, used in API, command line and log.
    package var name: String { String("\(self)".prefix { $0 != "(" }) }

    package var notification: UInt64? { parts.notification }

    package var app: String? { parts.app }

    /// The `details` of its event, without notification and app, which the event has itself.
    package var details: JSONObject {
        var details: JSONObject = ["action": .string(name)]
        for (name, value) in parts.details { details[name] = value }
        return details
    }

    private var parts: (notification: UInt64?, app: String?, details: JSONObject) {
        switch self {
        case .lock, .unlock, .wake, .restart: (nil, nil, [:])
        case .open(let app), .clear(let app): (nil, app, [:])
        case .terminate(let app), .uninstall(let app), .removeAllDelivered(let app): (nil, app, [:])
        case .tap(let number), .dismiss(let number), .confirmContact(let number): (number, nil, [:])
        case .perform(let identifier, let text, let number):
            (number, nil, ["actionIdentifier": .string(identifier), "userText": text.map { .string($0) }])
        case .switchFocus(let id): (nil, nil, ["focus": id.map { .string($0) } ?? .null])
        case .runSuggestion(let id), .acceptSuggestion(let id), .dismissSuggestion(let id):
            (nil, nil, ["suggestion": .string(id)])
        case .answer(let choice, let app): (nil, app, ["choice": .string(choice.rawValue)])
        case .setBadge(let count, let app): (nil, app, ["count": .integer(count)])
        case .removeDelivered(let identifiers, let app): (nil, app, ["identifiers": .strings(identifiers)])
        case .setCategories(let categories, let app):
            (nil, app, ["categories": .strings(categories.map(\.identifier))])
        }
    }
}
