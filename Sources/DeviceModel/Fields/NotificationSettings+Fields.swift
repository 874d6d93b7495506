package import Fields

extension NotificationSettings: FieldDescribed {
    package static let fields: [Field<NotificationSettings>] = [
        Field(
            "authorizationStatus", \.authorizationStatus, .word(), "Whether notifications are allowed at all."),
        Field("alert", \.alert, .word(), "Whether alerts are shown."),
        Field("sound", \.sound, .word(), "Whether sounds are played."),
        Field("badge", \.badge, .word(), "Whether the icon has a badge."),
        Field("lockScreen", \.lockScreen, .word(), "Whether the lock screen shows notifications."),
        Field("notificationCenter", \.notificationCenter, .word(), "Whether Notification Center shows them."),
        Field("carPlay", \.carPlay, .word(), "Whether CarPlay shows them."),
        Field(
            "criticalAlert", \.criticalAlert, .word(),
            "Whether critical alerts are played; counts only for an app with the entitlement."),
        Field(
            "timeSensitive", \.timeSensitive, .word(),
            "Whether Time Sensitive ones are told apart; counts only for an app with the entitlement."),
        Field(
            "scheduledDelivery", \.scheduledDelivery, .word(),
            "Whether notifications wait for the scheduled summary, when there is one."),
        Field(
            "directMessages", \.directMessages, .word(),
            "Whether communication notifications come at once although the others wait for the summary."),
        Field("announcement", \.announcement, .word(), "Whether Siri announces notifications."),
        Field(
            "announcesEverything", \.announcesEverything, .flag,
            "Whether Siri announces all of them, and not only communication and Time Sensitive ones."),
        Field("alertStyle", \.alertStyle, .word(), "How an alert appears on the unlocked screen."),
        Field(
            "showPreviews", \.showPreviews, .optional(.word()),
            "When the text is shown; while absent, the device's setting holds."),
        Field("grouping", \.grouping, .word(), "How notifications are stacked."),
    ]

    package static var blank: Self { Self() }
}
