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
        .init("announce.off", .unsaid, "seed 0") { _ in
            "is announcing turned off?"
        } when: {
            !$0.device.announce.isEnabled
        },
        .init("announce.withheld", .unsaid, "seed 0") {
            "does it not alert now by itself (\($0.timing))?"
        } when: {
            $0.timing != .now
        },
        .init("announce.noAlert", .unsaid, "inferred") { _ in
            "is there no text to read?"
        } when: {
            !$0.content.hasAlert
        },
        .init("announce.passive", .unsaid, "inferred") { _ in
            "is it passive?"
        } when: {
            $0.level == .passive
        },
        .init("announce.setting", .unsaid, "doc: UNNotificationSettings") { _ in
            "is announcing turned off for the app?"
        } when: {
            $0.settings.announcement != .enabled
        },
        .init("announce.route", .unsaid, "seed 0") {
            "does the audio route \($0.device.audioRoute.rawValue) not support announcing?"
        } when: {
            $0.device.audioRoute == .none || $0.device.audioRoute == .otherHeadphones
        },
        .init("announce.headphones", .unsaid, "seed 0") { _ in
            "is announcing turned off for headphones?"
        } when: {
            $0.hearsByHeadphones && !$0.device.announce.onHeadphones
        },
        .init("announce.inUse", .unsaid, "gk") { _ in
            "are headphones connected, and is the device unlocked and its screen on?"
        } when: {
            $0.hearsByHeadphones && $0.standing.isInUse && $0.assumptions.announcesOnlyWhenLocked
        },
        .init("announce.communication", .announced, "seed 0") { _ in
            "is it a communication notification?"
        } when: {
            $0.isCommunication
        },
        .init("announce.homepod", .unsaid, "seed 0") { _ in
            "is it for a HomePod, which announces communication only?"
        } when: {
            $0.device.audioRoute == .homepod
        },
        .init("announce.timeSensitive", .announced, "seed 0") { _ in
            "is it Time Sensitive?"
        } when: {
            $0.level == .timeSensitive
        },
        .init("announce.critical", .announced, "inferred") { _ in
            "is it a critical alert?"
        } when: {
            $0.isCritical
        },
        .init("announce.everything", .announced, "inferred") { _ in
            "are all of the app's notifications announced?"
        } when: {
            $0.settings.announcesEverything
        },
        .otherwise("announce.notChosen", .unsaid, "inferred"),
    ])

extension Situation {
    fileprivate var hearsByHeadphones: Bool {
        device.audioRoute == .airpodsPro || device.audioRoute == .airpodsMax
    }
}
