/// Whether the notification waits for the scheduled summary (B.1.8).
enum SummaryAnswer: String, Sendable, CustomStringConvertible {
    case apart = "it does not wait for the summary"
    case deferred = "it waits for the scheduled summary"

    var description: String { rawValue }
}

/// Time Sensitive and critical ones override scheduled delivery, and direct messages by default (S3-8).
let summaryTable = DecisionTable<SummaryAnswer>(
    stage: "summary",
    rows: [
        .init("summary.off", .apart, "seed 0") { _ in
            "is there no scheduled summary?"
        } when: {
            !$0.device.summary.isEnabled
        },
        .init("summary.notScheduled", .apart, "seed 0") {
            "is \($0.app.bundleID) not part of the summary?"
        } when: {
            $0.settings.scheduledDelivery != .enabled
        },
        .init("summary.critical", .apart, "seed 3") { _ in
            "is it a critical alert?"
        } when: {
            $0.isCritical
        },
        .init("summary.timeSensitive", .apart, "seed 0, 3") { _ in
            "is it Time Sensitive?"
        } when: {
            $0.level == .timeSensitive
        },
        .init("summary.directMessage", .apart, "doc: Implementing communication notifications") { _ in
            "is it a communication notification, and do the app's direct messages come at once?"
        } when: {
            $0.isCommunication && $0.standing.areDirectMessagesOn
        },
        .otherwise("summary.deferred", .deferred, "seed 0"),
    ])
