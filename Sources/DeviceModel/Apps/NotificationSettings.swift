/// What the person decided about an app's notifications on a device (`UNNotificationSettings`).
public struct NotificationSettings: Sendable, Hashable {
    /// Whether notifications are allowed at all.
    public var authorizationStatus = AuthorizationStatus.authorized
    public var alert = SettingState.enabled
    public var sound = SettingState.enabled
    public var badge = SettingState.enabled
    public var lockScreen = SettingState.enabled
    public var notificationCenter = SettingState.enabled
    public var carPlay = SettingState.enabled
    /// Counts only for an app with the entitlement.
    public var criticalAlert = SettingState.enabled
    /// Counts only for an app with the entitlement.
    public var timeSensitive = SettingState.enabled
    /// Whether the app's notifications wait for the scheduled summary, when there is one.
    public var scheduledDelivery = SettingState.disabled
    /// Whether communication notifications come at once although the others wait for the summary.
    public var directMessages = SettingState.enabled
    /// Whether Siri announces the app's notifications.
    public var announcement = SettingState.enabled
    /// Whether Siri announces all of them, and not only communication and Time Sensitive ones.
    public var announcesEverything = false
    public var alertStyle = AlertStyle.banner
    /// nil follows the device.
    public var showPreviews: ShowPreviews?
    public var grouping = Grouping.automatic

    /// Settings as the person finds them after allowing everything.
    public init() {}

    /// `UNAuthorizationStatus`.
    public enum AuthorizationStatus: String, CaseIterable, Sendable {
        case notDetermined, denied, authorized, provisional, ephemeral
    }

    /// `UNNotificationSetting`.
    public enum SettingState: String, CaseIterable, Sendable {
        case enabled, disabled, notSupported
    }

    /// `UNAlertStyle`.
    public enum AlertStyle: String, CaseIterable, Sendable {
        case none, banner, alert
    }

    /// How an app's notifications are stacked.
    public enum Grouping: String, CaseIterable, Sendable {
        case automatic, byApp, off
    }
}

/// When a notification's text is shown (`UNShowPreviewsSetting`).
public enum ShowPreviews: String, CaseIterable, Sendable {
    case always, whenAuthenticated, never
}
