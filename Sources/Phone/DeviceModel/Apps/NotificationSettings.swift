package import Fields

/// The person's settings for an app's notifications on a device (`UNNotificationSettings`).
package struct NotificationSettings: FieldDescribed, Hashable {
    package var authorizationStatus = AuthorizationStatus.authorized
    package var alert = SettingState.enabled
    package var sound = SettingState.enabled
    package var badge = SettingState.enabled
    package var lockScreen = SettingState.enabled
    package var notificationCenter = SettingState.enabled
    package var carPlay = SettingState.enabled
    package var criticalAlert = SettingState.enabled
    package var timeSensitive = SettingState.enabled
    package var scheduledDelivery = SettingState.disabled
    package var directMessages = SettingState.enabled
    package var announcement = SettingState.enabled
    package var announcesEverything = false
    package var alertStyle = AlertStyle.banner
    package var showPreviews: ShowPreviews?
    package var grouping = Grouping.automatic

    package init() {}

    /// `UNAuthorizationStatus`.
    package enum AuthorizationStatus: String, CaseIterable, Sendable {
        case notDetermined, denied, authorized, provisional, ephemeral
    }

    /// `UNNotificationSetting`.
    package enum SettingState: String, CaseIterable, Sendable { case enabled, disabled, notSupported }

    /// `UNAlertStyle`.
    package enum AlertStyle: String, CaseIterable, Sendable { case none, banner, alert }

    package enum Grouping: String, CaseIterable, Sendable { case automatic, byApp, off }

    package static let fields: [Field<NotificationSettings>] = [
        Field("authorizationStatus", \.authorizationStatus, .word(), "Whether notifications are allowed at all."),
        Field("alert", \.alert, .word(), "Whether alerts are shown."),
        Field("sound", \.sound, .word(), "Whether sounds are played."),
        Field("badge", \.badge, .word(), "Whether the icon has a badge."),
        Field("lockScreen", \.lockScreen, .word(), "Whether the lock screen shows notifications."),
        Field("notificationCenter", \.notificationCenter, .word(), "Whether Notification Center shows them."),
        Field("carPlay", \.carPlay, .word(), "Whether CarPlay shows them."),
        Field("criticalAlert", \.criticalAlert, .word(), "Whether critical alerts are allowed; needs the entitlement."),
        Field("timeSensitive", \.timeSensitive, .word(), "Whether Time Sensitive is allowed; needs the entitlement."),
        Field("scheduledDelivery", \.scheduledDelivery, .word(), "Whether notifications wait for the summary."),
        Field("directMessages", \.directMessages, .word(), "Whether communication notifications skip the summary."),
        Field("announcement", \.announcement, .word(), "Whether Siri announces notifications."),
        Field("announcesEverything", \.announcesEverything, .flag, "Whether Siri announces all of them."),
        Field("alertStyle", \.alertStyle, .word(), "How an alert appears on the unlocked screen."),
        Field("showPreviews", \.showPreviews, .optional(.word()), "When the text is shown; overrides the device's."),
        Field("grouping", \.grouping, .word(), "How notifications are stacked."),
    ]
}

/// When previews appear (`UNShowPreviewsSetting`).
package enum ShowPreviews: String, CaseIterable, Sendable { case always, whenAuthenticated, never }
