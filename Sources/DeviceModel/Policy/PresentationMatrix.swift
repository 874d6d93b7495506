/// Where a notification can be seen, by timing and level (B.3), on a device whose settings allow everything.
let presentationTable = DecisionTable<Presentation>(
    stage: "presentation",
    rows: [
        .init("presentation.noAlert", [], "inferred") { _ in
            "is there no text to show?"
        } when: {
            !$0.content.hasAlert
        },
        .init("presentation.frontmost", [.banner, .notificationCenter], "doc: UNNotificationPresentationOptions") { _ in
            "does the frontmost app decide?"
        } when: {
            $0.timing == .foreground
        },
        .init("presentation.quiet", .notificationCenter, "doc: Asking permission to use notifications") { _ in
            "is it delivered quietly?"
        } when: {
            $0.timing == .quiet
        },
        .init("presentation.deferred", [], "seed 0") { _ in
            "does it wait for the scheduled summary?"
        } when: {
            $0.timing == .deferredToSummary
        },
        .init("presentation.silenced.lockScreen", [.notificationCenter, .lockScreen, .whileInFocus], "gk") {
            "is it silenced by a Focus that shows such notifications on the lock screen (\($0.focusName))?"
        } when: {
            $0.timing == .silencedByFocus && $0.standing.focus?.showsOnLockScreen == true
        },
        .init("presentation.silenced", .notificationCenter, "seed 3") { _ in
            "is it silenced by a Focus?"
        } when: {
            $0.timing == .silencedByFocus
        },
        .init("presentation.passive", [.lockScreen, .notificationCenter], "seed 0") { _ in
            "is it passive?"
        } when: {
            $0.level == .passive
        },
        .otherwise(
            "presentation.alert", [.banner, .lockScreen, .notificationCenter, .screenLit],
            "seed 0; doc: UNNotificationInterruptionLevel"),
    ])
