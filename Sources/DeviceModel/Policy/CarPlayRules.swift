/// What a connected CarPlay does (B.8).
let carPlayTable = DecisionTable<Presentation>(
    stage: "carPlay",
    rows: [
        .init("carPlay.notConnected", [], "doc: UNNotificationSettings", asks: "is no CarPlay connected?") {
            !$0.standing.isCarPlayConnected
        },
        .init(
            "carPlay.withheld", [], "inferred",
            asks: { "does it not alert now by itself (\($0.timing))?" }
        ) {
            $0.timing != .now
        },
        .init("carPlay.noAlert", [], "inferred", asks: "is there no text to show?") {
            !$0.hasAlert
        },
        .init("carPlay.passive", [], "inferred", asks: "is it passive?") {
            $0.level == .passive
        },
        .init("carPlay.setting", [], "doc: UNNotificationSettings", asks: "is the app turned off for CarPlay?") {
            $0.settings.carPlay != .enabled
        },
        .init(
            "carPlay.read", [.carPlay, .carPlayRead], "seed 0",
            asks: "is it a communication notification, and are those read out in the car?"
        ) {
            $0.isCommunication && $0.isReadInCar
        },
        .init("carPlay.communication", .carPlay, "seed 0", asks: "is it a communication notification?") {
            $0.isCommunication
        },
        .init(
            "carPlay.category", .carPlay, "doc: UNNotificationCategoryOptions.allowInCarPlay",
            asks: { "does the category \"\($0.inputs.content.categoryIdentifier)\" have the option allowInCarPlay?" }
        ) {
            $0.isCarPlayCategory
        },
        .otherwise("carPlay.other", [], "gk"),
    ])

extension Situation {
    fileprivate var isReadInCar: Bool {
        standing.announce.isEnabled && standing.announce.inCarPlay && settings.announcement == .enabled
    }
}
