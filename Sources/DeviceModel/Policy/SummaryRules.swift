/// Whether the notification waits for the scheduled summary (B.1.8).
enum SummaryAnswer: String, PolicyAnswer {
    case apart = "it does not wait for the summary"
    case deferred = "it waits for the scheduled summary"
}

/// Time Sensitive and critical notifications override scheduled delivery, as do direct messages by default (S3-8).
let summaryTable = DecisionTable<Situation, SummaryAnswer>(
    stage: "summary",
    rows: [
        .init("summary.off", .apart, "WWDC21 10091").asks("is there no scheduled summary?", unless: [.isSummaryOn]),
        .init("summary.notScheduled", .apart, "WWDC21 10091")
            .asks({ "is \($0.bundleID) not part of the summary?" }, unless: [.isScheduled]),
        .init("summary.critical", .apart, "HIG Notifications").asks("is it a critical alert?", when: [.isCritical]),
        .init("summary.timeSensitive", .apart, "WWDC21 10091; HIG Notifications")
            .asks("is it Time Sensitive?", when: [.isTimeSensitive]),
        .init("summary.directMessage", .apart, "doc: Implementing communication notifications")
            .asks(
                "is it a communication notification, and are the app's direct messages delivered at once?",
                when: [.isCommunication, .areDirectMessagesOn]),
        .otherwise("summary.deferred", .deferred, "WWDC21 10091"),
    ])
