/// What the person decided about an app's notifications on a device (`UNNotificationSettings`).
package struct NotificationSettings: Sendable, Hashable {
    package var authorizationStatus = AuthorizationStatus.authorized
    package var alert = SettingState.enabled
    package var sound = SettingState.enabled
    package var badge = SettingState.enabled
    package var lockScreen = SettingState.enabled
    package var notificationCenter = SettingState.enabled
    package var carPlay = SettingState.enabled
    /// Counts only for an app with the entitlement.
    package var criticalAlert = SettingState.enabled
    /// Counts only for an app with the entitlement.
    package var timeSensitive = SettingState.enabled
    /// Whether the app's notifications wait for the scheduled summary, when there is one.
    package var scheduledDelivery = SettingState.disabled
    /// Whether communication notifications come at once although the others wait for the summary.
    package var directMessages = SettingState.enabled
    /// Whether Siri announces the app's notifications.
    package var announcement = SettingState.enabled
    /// Whether Siri announces all of them, and not only communication and Time Sensitive ones.
    package var announcesEverything = false
    package var alertStyle = AlertStyle.banner
    /// nil follows the device.
    package var showPreviews: ShowPreviews?
    package var grouping = Grouping.automatic

    /// Settings as the person finds them after allowing everything.
    package init() {}

    /// `UNAuthorizationStatus`.
    package enum AuthorizationStatus: String, CaseIterable, Sendable {
        case notDetermined, denied, authorized, provisional, ephemeral
    }

    /// `UNNotificationSetting`.
    package enum SettingState: String, CaseIterable, Sendable {
        case enabled, disabled, notSupported
    }

    /// `UNAlertStyle`.
    package enum AlertStyle: String, CaseIterable, Sendable {
        case none, banner, alert
    }

    /// How an app's notifications are stacked.
    package enum Grouping: String, CaseIterable, Sendable {
        case automatic, byApp, off
    }
}

/// When a notification's text is shown (`UNShowPreviewsSetting`).
package enum ShowPreviews: String, CaseIterable, Sendable {
    case always, whenAuthenticated, never
}
