/// What the frontmost app's `willPresent` takes away (B.1.7); the level does not matter.
let foregroundMask = MaskTable(
    stage: "foreground",
    rows: [
        .init(
            "foreground.noDelegate", .clears(.all), "doc: userNotificationCenter(_:willPresent:)",
            asks: "does the frontmost app have no delegate?"
        ) {
            $0.timing == .foreground && $0.standing.frontmostOptions == nil
        },
        .init(
            "foreground.noBanner", .clears(.banner), "doc: UNNotificationPresentationOptions",
            asks: "does willPresent answer without .banner?"
        ) {
            $0.timing == .foreground && !$0.lets(.banner)
        },
        .init(
            "foreground.noList", .clears(.notificationCenter), "doc: UNNotificationPresentationOptions",
            asks: "does willPresent answer without .list?"
        ) {
            $0.timing == .foreground && !$0.lets(.notificationCenter)
        },
    ])

/// What the screen's state takes away (B.3).
let screenMask = MaskTable(
    stage: "screen",
    rows: [
        .init(
            "screen.inUse", .clears([.lockScreen, .whileInFocus, .screenLit]), "gk",
            asks: "is the device unlocked and its screen on?"
        ) {
            $0.standing.isInUse
        },
        .init("screen.locked", .clears(.banner), "gk", asks: "is the device locked or its screen off?") {
            !$0.standing.isInUse && $0.standing.locksBanners
        },
    ])

/// What the app's notification settings take away (B.3); `notSupported` counts as off.
let settingsMask = MaskTable(
    stage: "settings",
    rows: [
        .init(
            "settings.provisional", .clears([.banner, .lockScreen, .screenLit]), "inferred",
            asks: "is the app on trial (provisional), so that its alerts are off?"
        ) {
            $0.isProvisional
        },
        .init(
            "settings.alert", .clears(.banner), "doc: Asking permission to use notifications",
            asks: "are the app's alerts turned off?"
        ) {
            $0.settings.alert != .enabled
        },
        .init("settings.alertStyle", .clears(.banner), "doc: UNAlertStyle", asks: "is the app's alert style none?") {
            $0.settings.alertStyle == .none
        },
        .init(
            "settings.lockScreen", .clears([.lockScreen, .whileInFocus, .screenLit]), "doc: UNNotificationSettings",
            asks: "does the app not show on the lock screen?"
        ) {
            $0.settings.lockScreen != .enabled
        },
        .init(
            "settings.notificationCenter", .clears(.notificationCenter), "doc: UNNotificationSettings",
            asks: "does the app not show in Notification Center?"
        ) {
            $0.settings.notificationCenter != .enabled
        },
    ])

extension Presentation {
    /// Every bit.
    static let all = Self(rawValue: .max)
}
