/// Whether Siri reads the notification out (B.8).
enum AnnounceAnswer: String, Sendable, CustomStringConvertible {
    case unsaid = "not announced"
    case announced = "announced"

    var description: String { rawValue }
}

/// Who hears of it, and of what.
let announceTable = DecisionTable<AnnounceAnswer>(
    stage: "announce",
    rows: [
        .init("announce.off", .unsaid, "seed 0", asks: "is announcing turned off?") {
            !$0.standing.announce.isEnabled
        },
        .init(
            "announce.withheld", .unsaid, "seed 0",
            asks: { "does it not alert now by itself (\($0.timing))?" }
        ) {
            $0.timing != .now
        },
        .init("announce.noAlert", .unsaid, "inferred", asks: "is there no text to read?") {
            !$0.hasAlert
        },
        .init("announce.passive", .unsaid, "inferred", asks: "is it passive?") {
            $0.level == .passive
        },
        .init("announce.setting", .unsaid, "doc: UNNotificationSettings", asks: "is announcing turned off for the app?")
        {
            $0.settings.announcement != .enabled
        },
        .init(
            "announce.route", .unsaid, "seed 0",
            asks: { "does the audio route \($0.device.audioRoute.rawValue) not support announcing?" }
        ) {
            $0.standing.audioRoute == .none || $0.standing.audioRoute == .otherHeadphones
        },
        .init("announce.headphones", .unsaid, "seed 0", asks: "is announcing turned off for headphones?") {
            $0.hearsByHeadphones && !$0.standing.announce.onHeadphones
        },
        .init(
            "announce.inUse", .unsaid, "gk",
            asks: "are headphones connected, and is the device unlocked and its screen on?"
        ) {
            $0.hearsByHeadphones && $0.standing.isInUse && $0.standing.announcesOnlyWhenLocked
        },
        .init("announce.communication", .announced, "seed 0", asks: "is it a communication notification?") {
            $0.isCommunication
        },
        .init("announce.homepod", .unsaid, "seed 0", asks: "is it for a HomePod, which announces communication only?") {
            $0.standing.audioRoute == .homepod
        },
        .init("announce.timeSensitive", .announced, "seed 0", asks: "is it Time Sensitive?") {
            $0.level == .timeSensitive
        },
        .init("announce.critical", .announced, "inferred", asks: "is it a critical alert?") {
            $0.isCritical
        },
        .init("announce.everything", .announced, "inferred", asks: "are all of the app's notifications announced?") {
            $0.settings.announcesEverything
        },
        .otherwise("announce.notChosen", .unsaid, "inferred"),
    ])

extension Situation {
    fileprivate var hearsByHeadphones: Bool {
        standing.audioRoute == .airpodsPro || standing.audioRoute == .airpodsMax
    }
}
