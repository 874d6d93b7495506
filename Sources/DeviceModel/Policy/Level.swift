/// Whether the notification is a critical alert (B.1.4).
enum CriticalAnswer: String, Sendable, CustomStringConvertible {
    case notAsked = "not asked for"
    /// Asked for in vain.
    case refused = "an ordinary notification"
    case granted = "a critical alert"

    var description: String { rawValue }
}

/// What becomes of a critical level or a critical sound; the sound alone is the form of iOS 12 to 14.
let criticalTable = DecisionTable<CriticalAnswer>(
    stage: "critical",
    rows: [
        .init("critical.notAsked", .notAsked, "seed 0") { _ in
            "are level and sound not critical?"
        } when: {
            $0.content.level != .critical && $0.content.sound != .critical
        },
        .init("critical.noEntitlement", .refused, "seed 0, 3; inferred") {
            "does \($0.app.bundleID) lack the critical alerts entitlement?"
        } when: {
            !$0.standing.isCriticalEntitled
        },
        .init("critical.off", .refused, "inferred") { _ in
            "are the app's critical alerts turned off?"
        } when: {
            !$0.standing.isCriticalOn
        },
        .otherwise("critical.granted", .granted, "seed 0"),
    ])

/// The level in effect.
let levelTable = DecisionTable<InterruptionLevel>(
    stage: "level",
    rows: [
        .init("level.critical", .critical, "seed 0") { _ in
            "is it a critical alert?"
        } when: {
            $0.critical == .granted
        },
        .init("level.passive", .passive, "seed 0") { _ in
            "is the level passive?"
        } when: {
            $0.askedLevel == .passive
        },
        .init("level.timeSensitive.noEntitlement", .active, "doc: invertase/notifee #840") {
            "is the level Time Sensitive although \($0.app.bundleID) lacks the entitlement?"
        } when: {
            $0.askedLevel == .timeSensitive && !$0.standing.isTimeSensitiveEntitled
        },
        .init("level.timeSensitive.off", .active, "seed 0") { _ in
            "is the level Time Sensitive although the app's switch for it is off?"
        } when: {
            $0.askedLevel == .timeSensitive && !$0.standing.isTimeSensitiveOn
        },
        .init("level.timeSensitive", .timeSensitive, "seed 0") { _ in
            "is the level Time Sensitive?"
        } when: {
            $0.askedLevel == .timeSensitive
        },
        .otherwise("level.active", .active, "seed 0"),
    ])

extension Situation {
    /// The level of the content; a critical level that was refused is the assumed one.
    var askedLevel: InterruptionLevel {
        content.level == .critical ? assumptions.criticalDowngrade : content.level ?? .active
    }
}

extension InterruptionLevel: CustomStringConvertible {
    public var description: String { rawValue }
}
