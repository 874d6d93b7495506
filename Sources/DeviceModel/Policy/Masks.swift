/// What the frontmost app's `willPresent` takes away (B.1.7); the level does not matter.
let foregroundMask = MaskTable(
    stage: "foreground",
    rows: [
        .init("foreground.noDelegate", .clears(.all), "doc: userNotificationCenter(_:willPresent:)") { _ in
            "does the frontmost app have no delegate?"
        } when: {
            $0.timing == .foreground && $0.app.presentationOptions == nil
        },
        .init("foreground.noBanner", .clears(.banner), "doc: UNNotificationPresentationOptions") { _ in
            "does willPresent answer without .banner?"
        } when: {
            $0.timing == .foreground && !$0.standing.frontmostOptions.contains(.banner)
        },
        .init("foreground.noList", .clears(.notificationCenter), "doc: UNNotificationPresentationOptions") { _ in
            "does willPresent answer without .list?"
        } when: {
            $0.timing == .foreground && !$0.standing.frontmostOptions.contains(.notificationCenter)
        },
    ])

/// What the screen's state takes away (B.3).
let screenMask = MaskTable(
    stage: "screen",
    rows: [
        .init("screen.inUse", .clears([.lockScreen, .whileInFocus, .screenLit]), "gk") { _ in
            "is the device unlocked and its screen on?"
        } when: {
            $0.standing.isInUse
        },
        .init("screen.locked", .clears(.banner), "gk") { _ in
            "is the device locked or its screen off?"
        } when: {
            !$0.standing.isInUse && $0.assumptions.locksBanners
        },
    ])

/// What the app's notification settings take away (B.3); `notSupported` counts as off.
let settingsMask = MaskTable(
    stage: "settings",
    rows: [
        .init("settings.provisional", .clears([.banner, .lockScreen, .screenLit]), "inferred") { _ in
            "is the app on trial (provisional), so that its alerts are off?"
        } when: {
            $0.isProvisional
        },
        .init("settings.alert", .clears(.banner), "doc: Asking permission to use notifications") { _ in
            "are the app's alerts turned off?"
        } when: {
            $0.settings.alert != .enabled
        },
        .init("settings.alertStyle", .clears(.banner), "doc: UNAlertStyle") { _ in
            "is the app's alert style none?"
        } when: {
            $0.settings.alertStyle == .none
        },
        .init("settings.lockScreen", .clears([.lockScreen, .whileInFocus, .screenLit]), "doc: UNNotificationSettings") {
            _ in "does the app not show on the lock screen?"
        } when: {
            $0.settings.lockScreen != .enabled
        },
        .init("settings.notificationCenter", .clears(.notificationCenter), "doc: UNNotificationSettings") { _ in
            "does the app not show in Notification Center?"
        } when: {
            $0.settings.notificationCenter != .enabled
        },
    ])

extension Presentation {
    /// Every bit.
    static let all = Self(rawValue: .max)
}
