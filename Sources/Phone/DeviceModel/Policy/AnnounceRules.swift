/// Whether Siri reads the notification out (B.8).
enum AnnounceAnswer: String, PolicyAnswer {
    case unsaid = "not announced"
    case announced = "announced"
}

let announceTable = DecisionTable<Situation, AnnounceAnswer>(
    stage: "announce",
    rows: [
        .init("announce.off", .unsaid, "WWDC21 10091").asks("is announcing turned off?", unless: [.isAnnouncingOn]),
        .init("announce.withheld", .unsaid, "WWDC21 10091")
            .asks({ "does it not alert at once (\($0.timing))?" }, unless: [.isNow]),
        .init("announce.noAlert", .unsaid, "inferred").asks("is there no text to read?", unless: [.hasAlert]),
        .init("announce.passive", .unsaid, "inferred").asks("is it passive?", when: [.isPassive]),
        .init("announce.setting", .unsaid, "doc: UNNotificationSettings")
            .asks("is announcing turned off for the app?", unless: [.isAppAnnounced]),
        .init("announce.route", .unsaid, "WWDC21 10091")
            .asks(
                { "does the audio route \($0.device.audioRoute.rawValue) not support announcing?" },
                unless: [.hasAnnouncingRoute]),
        .init("announce.headphones", .unsaid, "WWDC21 10091")
            .asks("is announcing turned off for headphones?", when: [.hasHeadphones], unless: [.announcesToHeadphones]),
        .init("announce.inUse", .unsaid, "gk")
            .asks(
                "are headphones connected, and is the device unlocked and its screen on?",
                when: [.hasHeadphones, .isInUse, .announcesOnlyWhenLocked]),
        .init("announce.communication", .announced, "WWDC21 10091")
            .asks("is it a communication notification?", when: [.isCommunication]),
        .init("announce.homepod", .unsaid, "WWDC21 10091")
            .asks("is it for a HomePod, which announces communication only?", when: [.hasHomePod]),
        .init("announce.timeSensitive", .announced, "WWDC21 10091")
            .asks("is it Time Sensitive?", when: [.isTimeSensitive]),
        .init("announce.critical", .announced, "inferred").asks("is it a critical alert?", when: [.isCritical]),
        .init("announce.everything", .announced, "inferred")
            .asks("are all of the app's notifications announced?", when: [.announcesEverything]),
        .otherwise("announce.notChosen", .unsaid, "inferred"),
    ])

/// How CarPlay, when connected, presents the notification (B.8).
let carPlayTable = DecisionTable<Situation, Presentation>(
    stage: "carPlay",
    rows: [
        .init("carPlay.notConnected", [], "doc: UNNotificationSettings")
            .asks("is no CarPlay connected?", unless: [.isCarPlayConnected]),
        .init("carPlay.withheld", [], "inferred")
            .asks({ "does it not alert at once (\($0.timing))?" }, unless: [.isNow]),
        .init("carPlay.noAlert", [], "inferred").asks("is there no text to show?", unless: [.hasAlert]),
        .init("carPlay.passive", [], "inferred").asks("is it passive?", when: [.isPassive]),
        .init("carPlay.setting", [], "doc: UNNotificationSettings")
            .asks("is the app turned off for CarPlay?", unless: [.isCarPlayOn]),
        .init("carPlay.read", [.carPlay, .carPlayRead], "WWDC21 10091")
            .asks(
                "is it a communication notification, and are those read out in the car?",
                when: [.isCommunication, .isReadInCar]),
        .init("carPlay.communication", .carPlay, "WWDC21 10091")
            .asks("is it a communication notification?", when: [.isCommunication]),
        .init("carPlay.category", .carPlay, "doc: UNNotificationCategoryOptions.allowInCarPlay")
            .asks(
                { "does \($0.categoryText) have the option allowInCarPlay?" },
                when: [.isCarPlayCategory]),
        .otherwise("carPlay.other", [], "gk"),
    ])

extension Subject {
    fileprivate var categoryText: String {
        let name = inputs.content.categoryIdentifier
        return name.isEmpty ? "its category, of which it names none," : "the category \"\(name)\""
    }
}
