/// An app that devices may have installed: what its developer decided, the same on every device.
package struct App: Sendable, Hashable {
    /// The bundle identifier; topics are made from it.
    package var bundleID: String
    /// The name under the icon.
    package var displayName: String
    /// The developer team's identifier.
    package var team: String?
    /// The entitlements' keys, such as `com.apple.developer.usernotifications.time-sensitive`.
    package var entitlements: [String] = []
    /// What `setNotificationCategories` was called with last.
    package var categories: [NotificationCategory] = []
    /// `Localizable.strings`: language, then key, then text.
    package var localizations: [String: [String: String]] = [:]
    /// `NSUserActivityTypes` of the Info.plist.
    package var userActivityTypes: [String] = []
    package var supportedIntents: [String] = []
    /// What `willPresent` answers while the app is frontmost; nil when it has no delegate.
    package var presentationOptions: [PresentationOption]?
    /// Whether the user let the app see the Focus status (`INFocusStatusCenter`).
    package var isFocusStatusAuthorized = false
    /// Whether the app offers notification settings of its own (`openSettingsFor`).
    package var providesNotificationSettings = false
    /// Whether the person agreed to marketing messages; nil when nobody said.
    package var hasMarketingConsent: Bool?
    /// Whether the app contains a notification service extension; only `extension` says how to run it here.
    package var hasServiceExtension = false
    /// The service extension that is run for its pushes.
    package var `extension`: ServiceExtension? {
        didSet { hasServiceExtension = `extension` != nil || hasServiceExtension && oldValue == nil }
    }
    /// The sound files in the app's bundle; nil when nobody said, then every name counts as there.
    package var soundNames: [String]?
    /// What its notification settings are on a device where nobody has changed them.
    package var settings = NotificationSettings()

    package init(bundleID: String, displayName: String? = nil, team: String? = nil, entitlements: [String] = []) {
        self.bundleID = bundleID
        self.displayName = displayName ?? bundleID.split(separator: ".").last.map(String.init) ?? bundleID
        self.team = team
        self.entitlements = entitlements
    }

    package func has(_ entitlement: Entitlement) -> Bool { entitlements.contains(entitlement.rawValue) }

    /// A registered category; nil when there is none of the identifier.
    package func category(_ identifier: String) -> NotificationCategory? {
        identifier.isEmpty ? nil : categories.first { $0.identifier == identifier }
    }
}

/// The entitlements that decide about notifications (Apple, "Bundle resources: Entitlements").
package enum Entitlement: String, CaseIterable, Sendable {
    case timeSensitive = "com.apple.developer.usernotifications.time-sensitive"
    case criticalAlerts = "com.apple.developer.usernotifications.critical-alerts"
    case communication = "com.apple.developer.usernotifications.communication"
    case filtering = "com.apple.developer.usernotifications.filtering"
}

/// How a notification may be shown over the frontmost app (`UNNotificationPresentationOptions`).
package enum PresentationOption: String, CaseIterable, Sendable {
    case badge, sound, list, banner
    /// Deprecated; means banner and list.
    case alert
}
