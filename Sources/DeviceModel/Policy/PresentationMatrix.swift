/// Where a notification can be seen, by timing and level (B.3), on a device whose settings allow everything.
let presentationTable = DecisionTable<Presentation>(
    stage: "presentation",
    rows: [
        .init(
            "presentation.alert", [.banner, .lockScreen, .notificationCenter, .screenLit],
            "WWDC21 10091; doc: UNNotificationInterruptionLevel", asks: "does it alert now, and is it not passive?",
            when: [.hasAlert, .isNow], unless: [.isPassive]),
        .init("presentation.noAlert", [], "inferred", asks: "is there no text to show?", unless: [.hasAlert]),
        .init(
            "presentation.frontmost", [.banner, .notificationCenter], "doc: UNNotificationPresentationOptions",
            asks: "does the frontmost app decide?", when: [.isLeftToApp]),
        .init(
            "presentation.quiet", .notificationCenter, "doc: Asking permission to use notifications",
            asks: "is it delivered quietly?", when: [.isDeliveredQuietly]),
        .init(
            "presentation.deferred", [], "WWDC21 10091", asks: "does it wait for the scheduled summary?",
            when: [.isDeferred]),
        .init(
            "presentation.silenced.lockScreen", [.notificationCenter, .lockScreen, .whileInFocus], "gk",
            asks: { "is it silenced by a Focus that shows such notifications on the lock screen (\($0.focusName))?" },
            when: [.isSilenced, .showsSilencedOnLockScreen]),
        .init(
            "presentation.silenced", .notificationCenter, "HIG Notifications", asks: "is it silenced by a Focus?",
            when: [.isSilenced]),
        .otherwise("presentation.passive", [.lockScreen, .notificationCenter], "WWDC21 10091"),
    ])
