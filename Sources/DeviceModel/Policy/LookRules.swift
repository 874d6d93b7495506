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
