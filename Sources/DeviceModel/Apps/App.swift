/// An app that devices may have installed: what its developer decided, the same on every device.
public struct App: Sendable, Hashable {
    /// The bundle identifier; topics are made from it.
    public var bundleID: String
    /// The name under the icon.
    public var displayName: String
    /// The developer team's identifier.
    public var team: String?
    /// The entitlements' keys, such as `com.apple.developer.usernotifications.time-sensitive`.
    public var entitlements: [String] = []
    /// What `setNotificationCategories` was called with last.
    public var categories: [NotificationCategory] = []
    /// `Localizable.strings`: language, then key, then text.
    public var localizations: [String: [String: String]] = [:]
    /// `NSUserActivityTypes` of the Info.plist.
    public var userActivityTypes: [String] = []
    /// What the app's Intents extension supports.
    public var supportedIntents: [String] = []
    /// What `willPresent` answers while the app is frontmost; nil when it has no delegate.
    public var presentationOptions: [PresentationOption]?
    /// Whether the user let the app see the Focus status (`INFocusStatusCenter`).
    public var isFocusStatusAuthorized = false
    /// Whether the app offers notification settings of its own (`openSettingsFor`).
    public var providesNotificationSettings = false
    /// Whether the person agreed to marketing messages; nil when nobody said.
    public var hasMarketingConsent: Bool?
    /// Whether the app contains a notification service extension; only `extension` says how to run it here.
    public var hasServiceExtension = false
    /// The service extension that is run for its pushes.
    public var `extension`: ServiceExtension? {
        didSet { hasServiceExtension = `extension` != nil || hasServiceExtension && oldValue == nil }
    }
    /// The sound files in the app's bundle; nil when nobody said, then every name counts as there.
    public var soundNames: [String]?
    /// What its notification settings are on a device where nobody has changed them.
    public var settings = NotificationSettings()

    /// Makes an app; its name is the last part of the bundle identifier unless given.
    public init(bundleID: String, displayName: String? = nil, team: String? = nil, entitlements: [String] = []) {
        self.bundleID = bundleID
        self.displayName = displayName ?? bundleID.split(separator: ".").last.map(String.init) ?? bundleID
        self.team = team
        self.entitlements = entitlements
    }

    /// Whether the app has an entitlement.
    public func has(_ entitlement: Entitlement) -> Bool { entitlements.contains(entitlement.rawValue) }

    /// A registered category; nil when there is none of the identifier.
    public func category(_ identifier: String) -> NotificationCategory? {
        identifier.isEmpty ? nil : categories.first { $0.identifier == identifier }
    }
}

/// The entitlements that decide about notifications (Apple, "Bundle resources: Entitlements").
public enum Entitlement: String, CaseIterable, Sendable {
    case timeSensitive = "com.apple.developer.usernotifications.time-sensitive"
    case criticalAlerts = "com.apple.developer.usernotifications.critical-alerts"
    case communication = "com.apple.developer.usernotifications.communication"
    case filtering = "com.apple.developer.usernotifications.filtering"
}

/// How a notification may be shown over the frontmost app (`UNNotificationPresentationOptions`).
public enum PresentationOption: String, CaseIterable, Sendable {
    case badge, sound, list, banner
    /// Deprecated; means banner and list.
    case alert
}
