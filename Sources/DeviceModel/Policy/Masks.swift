/// What the frontmost app's `willPresent` takes away (B.1.7); the level does not matter.
let foregroundMask = MaskTable(
    stage: "foreground",
    rows: [
        .init(
            "foreground.noDelegate", .clears(.all), "doc: userNotificationCenter(_:willPresent:)",
            asks: "does the frontmost app have no delegate?", when: [.isLeftToApp], unless: [.hasDelegate]),
        .init(
            "foreground.noBanner", .clears(.banner), "doc: UNNotificationPresentationOptions",
            asks: "does willPresent answer without .banner?", when: [.isLeftToApp], unless: [.letsBanner]),
        .init(
            "foreground.noList", .clears(.notificationCenter), "doc: UNNotificationPresentationOptions",
            asks: "does willPresent answer without .list?", when: [.isLeftToApp], unless: [.letsList]),
    ])

/// What the screen's state takes away (B.3).
let screenMask = MaskTable(
    stage: "screen",
    rows: [
        .init(
            "screen.inUse", .clears([.lockScreen, .whileInFocus, .screenLit]), "gk",
            asks: "is the device unlocked and its screen on?", when: [.isInUse]),
        .init(
            "screen.locked", .clears(.banner), "gk", asks: "is the device locked or its screen off?",
            when: [.locksBanners], unless: [.isInUse]),
    ])

/// What the app's notification settings take away (B.3); `notSupported` counts as off.
let settingsMask = MaskTable(
    stage: "settings",
    rows: [
        .init(
            "settings.provisional", .clears([.banner, .lockScreen, .screenLit]), "inferred",
            asks: "is the app on trial (provisional), so that its alerts are off?", when: [.isQuiet]),
        .init(
            "settings.alert", .clears(.banner), "doc: Asking permission to use notifications",
            asks: "are the app's alerts turned off?", unless: [.isAlertOn]),
        .init(
            "settings.alertStyle", .clears(.banner), "doc: UNAlertStyle", asks: "is the app's alert style none?",
            when: [.hasNoAlertStyle]),
        .init(
            "settings.lockScreen", .clears([.lockScreen, .whileInFocus, .screenLit]), "doc: UNNotificationSettings",
            asks: "does the app not show on the lock screen?", unless: [.isLockScreenOn]),
        .init(
            "settings.notificationCenter", .clears(.notificationCenter), "doc: UNNotificationSettings",
            asks: "does the app not show in Notification Center?", unless: [.isNotificationCenterOn]),
    ])

extension Presentation {
    /// Every bit.
    static let all = Self(rawValue: .max)
}
