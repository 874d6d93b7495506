/// What a connected CarPlay does (B.8).
let carPlayTable = DecisionTable<Presentation>(
    stage: "carPlay",
    rows: [
        .init("carPlay.notConnected", [], "doc: UNNotificationSettings") { _ in
            "is no CarPlay connected?"
        } when: {
            !$0.device.isCarPlayConnected
        },
        .init("carPlay.withheld", [], "inferred") {
            "does it not alert now by itself (\($0.timing))?"
        } when: {
            $0.timing != .now
        },
        .init("carPlay.noAlert", [], "inferred") { _ in
            "is there no text to show?"
        } when: {
            !$0.content.hasAlert
        },
        .init("carPlay.passive", [], "inferred") { _ in
            "is it passive?"
        } when: {
            $0.level == .passive
        },
        .init("carPlay.setting", [], "doc: UNNotificationSettings") { _ in
            "is the app turned off for CarPlay?"
        } when: {
            $0.settings.carPlay != .enabled
        },
        .init("carPlay.read", [.carPlay, .carPlayRead], "seed 0") { _ in
            "is it a communication notification, and are those read out in the car?"
        } when: {
            $0.isCommunication && $0.isReadInCar
        },
        .init("carPlay.communication", .carPlay, "seed 0") { _ in
            "is it a communication notification?"
        } when: {
            $0.isCommunication
        },
        .init("carPlay.category", .carPlay, "doc: UNNotificationCategoryOptions.allowInCarPlay") {
            "does the category \"\($0.content.categoryIdentifier)\" have the option allowInCarPlay?"
        } when: {
            $0.app.category($0.content.categoryIdentifier)?.options.contains(.allowInCarPlay) == true
        },
        .otherwise("carPlay.other", [], "gk"),
    ])

extension Situation {
    fileprivate var isReadInCar: Bool {
        device.announce.isEnabled && device.announce.inCarPlay && settings.announcement == .enabled
    }
}
