/// What a connected CarPlay does (B.8).
let carPlayTable = DecisionTable<Presentation>(
    stage: "carPlay",
    rows: [
        .init(
            "carPlay.notConnected", [], "doc: UNNotificationSettings", asks: "is no CarPlay connected?",
            unless: [.isCarPlayConnected]),
        .init(
            "carPlay.withheld", [], "inferred",
            asks: { "does it not alert now by itself (\($0.timing))?" }, unless: [.isNow]),
        .init("carPlay.noAlert", [], "inferred", asks: "is there no text to show?", unless: [.hasAlert]),
        .init("carPlay.passive", [], "inferred", asks: "is it passive?", when: [.isPassive]),
        .init(
            "carPlay.setting", [], "doc: UNNotificationSettings", asks: "is the app turned off for CarPlay?",
            unless: [.isCarPlayOn]),
        .init(
            "carPlay.read", [.carPlay, .carPlayRead], "WWDC21 10091",
            asks: "is it a communication notification, and are those read out in the car?",
            when: [.isCommunication, .isReadInCar]),
        .init(
            "carPlay.communication", .carPlay, "WWDC21 10091", asks: "is it a communication notification?",
            when: [.isCommunication]),
        .init(
            "carPlay.category", .carPlay, "doc: UNNotificationCategoryOptions.allowInCarPlay",
            asks: { "does the category \"\($0.inputs.content.categoryIdentifier)\" have the option allowInCarPlay?" },
            when: [.isCarPlayCategory]),
        .otherwise("carPlay.other", [], "gk"),
    ])
