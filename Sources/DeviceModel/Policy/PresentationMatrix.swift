/// Where a notification can be seen, by timing and level (B.3), on a device whose settings allow everything.
let presentationTable = DecisionTable<Presentation>(
    stage: "presentation",
    rows: [
        .init("presentation.noAlert", [], "inferred", asks: "is there no text to show?") {
            !$0.hasAlert
        },
        .init(
            "presentation.frontmost", [.banner, .notificationCenter], "doc: UNNotificationPresentationOptions",
            asks: "does the frontmost app decide?"
        ) {
            $0.timing == .foreground
        },
        .init(
            "presentation.quiet", .notificationCenter, "doc: Asking permission to use notifications",
            asks: "is it delivered quietly?"
        ) {
            $0.timing == .quiet
        },
        .init("presentation.deferred", [], "seed 0", asks: "does it wait for the scheduled summary?") {
            $0.timing == .deferredToSummary
        },
        .init(
            "presentation.silenced.lockScreen", [.notificationCenter, .lockScreen, .whileInFocus], "gk",
            asks: { "is it silenced by a Focus that shows such notifications on the lock screen (\($0.focusName))?" }
        ) {
            $0.timing == .silencedByFocus && $0.standing.showsSilencedOnLockScreen
        },
        .init("presentation.silenced", .notificationCenter, "seed 3", asks: "is it silenced by a Focus?") {
            $0.timing == .silencedByFocus
        },
        .init("presentation.passive", [.lockScreen, .notificationCenter], "seed 0", asks: "is it passive?") {
            $0.level == .passive
        },
        .otherwise(
            "presentation.alert", [.banner, .lockScreen, .notificationCenter, .screenLit],
            "seed 0; doc: UNNotificationInterruptionLevel"),
    ])
