/// What the frontmost app's `willPresent` removes (B.1.7).
let foregroundMask = MaskTable(
    stage: "foreground",
    rows: [
        .init("foreground.noDelegate", .clears(.all), "doc: userNotificationCenter(_:willPresent:)")
            .asks("does the foreground app have no delegate?", when: [.isLeftToApp], unless: [.hasDelegate]),
        .init("foreground.noBanner", .clears(.banner), "doc: UNNotificationPresentationOptions")
            .asks("does willPresent omit .banner?", when: [.isLeftToApp], unless: [.letsBanner]),
        .init("foreground.noList", .clears(.notificationCenter), "doc: UNNotificationPresentationOptions")
            .asks("does willPresent omit .list?", when: [.isLeftToApp], unless: [.letsList]),
    ])

/// What the screen's state removes (B.3).
let screenMask = MaskTable(
    stage: "screen",
    rows: [
        .init("screen.inUse", .clears([.lockScreen, .whileInFocus, .screenLit]), "gk")
            .asks("is the device unlocked and its screen on?", when: [.isInUse]),
        .init("screen.locked", .clears(.banner), "gk")
            .asks("is the device locked or its screen off?", when: [.locksBanners], unless: [.isInUse]),
    ])

/// What the app's notification settings remove (B.3); `notSupported` counts as off.
let settingsMask = MaskTable(
    stage: "settings",
    rows: [
        .init("settings.provisional", .clears([.banner, .lockScreen, .screenLit]), "inferred")
            .asks("is the app's authorization provisional, so that its alerts are off?", when: [.isQuiet]),
        .init("settings.alert", .clears(.banner), "doc: Asking permission to use notifications")
            .asks("are the app's alerts turned off?", unless: [.isAlertOn]),
        .init("settings.alertStyle", .clears(.banner), "doc: UNAlertStyle")
            .asks("is the app's alert style none?", when: [.hasNoAlertStyle]),
        .init("settings.lockScreen", .clears([.lockScreen, .whileInFocus, .screenLit]), "doc: UNNotificationSettings")
            .asks("does the app not show on the lock screen?", unless: [.isLockScreenOn]),
        .init("settings.notificationCenter", .clears(.notificationCenter), "doc: UNNotificationSettings")
            .asks("does the app not show in Notification Center?", unless: [.isNotificationCenterOn]),
    ])

/// Where a notification appears by timing and level (B.3), before the settings restrict it.
let presentationTable = DecisionTable<Situation, Presentation>(
    stage: "presentation",
    rows: [
        .init(
            "presentation.alert", [.banner, .lockScreen, .notificationCenter, .screenLit],
            "WWDC21 10091; doc: UNNotificationInterruptionLevel"
        )
        .asks("does it alert now, and is it not passive?", when: [.hasAlert, .isNow], unless: [.isPassive]),
        .init("presentation.noAlert", [], "inferred").asks("is there no text to show?", unless: [.hasAlert]),
        .init("presentation.frontmost", [.banner, .notificationCenter], "doc: UNNotificationPresentationOptions")
            .asks("does the foreground app decide?", when: [.isLeftToApp]),
        .init("presentation.quiet", .notificationCenter, "doc: Asking permission to use notifications")
            .asks("is it delivered quietly?", when: [.isDeliveredQuietly]),
        .init("presentation.deferred", [], "WWDC21 10091")
            .asks("does it wait for the scheduled summary?", when: [.isDeferred]),
        .init("presentation.silenced.lockScreen", [.notificationCenter, .lockScreen, .whileInFocus], "gk")
            .asks(
                { "is it silenced by a Focus that shows silenced notifications on the lock screen (\($0.focusName))?" },
                when: [.isSilenced, .showsSilencedOnLockScreen]),
        .init("presentation.silenced", .notificationCenter, "HIG Notifications")
            .asks("is it silenced by a Focus?", when: [.isSilenced]),
        .otherwise("presentation.passive", [.lockScreen, .notificationCenter], "WWDC21 10091"),
    ])

/// How a notification looks where it is shown (B.3, B.7, B.10, E.2).
let lookMask = MaskTable(
    stage: "look",
    rows: [
        .init("look.timeSensitive", .sets([.timeSensitiveLabel, .prominent]), "WWDC21 10091")
            .asks("is it Time Sensitive?", when: [.isVisible, .isAlerting, .isTimeSensitive]),
        .init("look.critical", .sets(.prominent), "inferred")
            .asks("is it a critical alert?", when: [.isVisible, .isAlerting, .isCritical]),
        .init("look.communication", .sets(.avatar), "WWDC21 10091; mszpro.com; HIG Notifications")
            .asks("is it a communication notification?", when: [.isVisible, .isCommunication]),
        .init("look.persistent", .sets(.persistentBanner), "gk")
            .asks("are the app's banners persistent?", when: [.hasPersistentBanners, .showsBanner]),
        .init("look.hiddenPreview", .sets(.hiddenPreview), "doc: UNShowPreviewsSetting; HIG Notifications")
            .asks({ "are previews hidden (\($0.previewsText))?" }, when: [.isVisible, .arePreviewsHidden]),
        .init("look.hiddenSender", .clears(.avatar), "design")
            .asks(
                "are previews hidden, and does the category not show the title anyway?", when: [.arePreviewsHidden],
                unless: [.showsHiddenTitle]),
        .init("look.keepOrTurnOff", .sets(.provisionalPrompt), "doc: Asking permission to use notifications")
            .asks(
                "is it the app's first quiet notification?", when: [.isVisible, .isDeliveredQuietly],
                unless: [.isProvisionalIntroduced]),
        .init("look.timeSensitiveIntroduction", .sets(.timeSensitivePrompt), "HIG Notifications")
            .asks(
                "is it the app's first Time Sensitive notification?", when: [.isVisible, .isNow, .isTimeSensitive],
                unless: [.isTimeSensitiveIntroduced]),
    ])

extension NotificationSettings {
    /// B.7.
    func hidesPreviews(on device: DeviceConditions) -> Bool {
        switch showPreviews ?? device.showPreviews {
        case .always: false
        case .whenAuthenticated: device.isLocked
        case .never: true
        }
    }
}

extension Subject {
    fileprivate var previewsText: String {
        let setting = inputs.context.settings.showPreviews ?? device.showPreviews
        return "\(setting.rawValue), \(device.isLocked ? "locked" : "unlocked")"
    }
}
