/// Whether the notification is a critical alert (B.1.4).
enum CriticalAnswer: String, PolicyAnswer {
    case notAsked = "not requested"
    case refused = "an ordinary notification"
    case granted = "a critical alert"
}

/// Decides on a critical level or a critical sound; the sound alone is the form of iOS 12 to 14.
let criticalTable = DecisionTable<Situation, CriticalAnswer>(
    stage: "critical",
    rows: [
        .init("critical.notAsked", .notAsked, "WWDC21 10091")
            .asks("are level and sound not critical?", unless: [.asksForCritical, .hasCriticalSound]),
        .init("critical.noEntitlement", .refused, "WWDC21 10091; HIG Notifications; inferred")
            .asks({ "does \($0.bundleID) lack the critical alerts entitlement?" }, unless: [.isCriticalEntitled]),
        .init("critical.off", .refused, "inferred")
            .asks("are the app's critical alerts turned off?", unless: [.isCriticalOn]),
        .otherwise("critical.granted", .granted, "WWDC21 10091"),
    ])

let levelTable = DecisionTable<Situation, InterruptionLevel>(
    stage: "level",
    rows: [
        .init("level.critical", .critical, "WWDC21 10091").asks("is it a critical alert?", when: [.isCritical]),
        .init("level.passive.criticalSound", .active, "inferred")
            .asks(
                "is the level passive, with a critical sound that is not allowed and plays as an ordinary one?",
                when: [.asksForPassive, .hasCriticalSound, .criticalSoundRaises], unless: [.asksForCritical]),
        .init("level.passive", .passive, "WWDC21 10091").asks("is the level passive?", when: [.asksForPassive]),
        .init("level.timeSensitive.noEntitlement", .active, "doc: invertase/notifee #840")
            .asks(
                { "is the level Time Sensitive although \($0.bundleID) lacks the entitlement?" },
                when: [.asksForTimeSensitive], unless: [.isTimeSensitiveEntitled]),
        .init("level.timeSensitive.off", .active, "WWDC21 10091")
            .asks(
                "is the level Time Sensitive although the app's switch for it is off?", when: [.asksForTimeSensitive],
                unless: [.isTimeSensitiveOn]),
        .init("level.timeSensitive", .timeSensitive, "WWDC21 10091")
            .asks("is the level Time Sensitive?", when: [.asksForTimeSensitive]),
        .otherwise("level.active", .active, "WWDC21 10091"),
    ])
