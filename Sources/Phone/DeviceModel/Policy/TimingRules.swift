/// Decides the timing before summary and Focus do (B.1.7, B.1.8).
let immediacyTable = DecisionTable<Situation, Timing>(
    stage: "timing",
    rows: [
        .init("timing.frontmost", .foreground, "doc: userNotificationCenter(_:willPresent:)")
            .asks({ "is \($0.bundleID) in the foreground of a device in use?" }, when: [.isFrontmost]),
        .init("timing.provisional", .quiet, "doc: Asking permission to use notifications")
            .asks("is the app's authorization provisional, and it is not a critical alert?", when: [.isQuiet]),
    ])

extension Situation {
    func decideTiming(_ tables: PolicyTables, _ trace: Trace<InterruptionInputs>?) -> Timing {
        if let timing = tables.immediacy.decide(self, trace) {
            trace?.decides()
            return timing
        }
        let summaryPrecedesFocus = facts.contains(.summaryPrecedesFocus)
        if summaryPrecedesFocus, isDeferred(tables, trace) { return .deferredToSummary }
        if isSilenced(tables, trace) { return .silencedByFocus }
        return !summaryPrecedesFocus && isDeferred(tables, trace) ? .deferredToSummary : .now
    }

    private func isDeferred(_ tables: PolicyTables, _ trace: Trace<InterruptionInputs>?) -> Bool {
        let answer = tables.summary.decide(self, trace)
        trace?.contributes(if: facts.match([.isSummaryOn, .isScheduled], without: []))
        return answer == .deferred
    }

    private func isSilenced(_ tables: PolicyTables, _ trace: Trace<InterruptionInputs>?) -> Bool {
        let answer = tables.focus.decide(self, trace)
        let isSilenced = (answer == .callRules ? tables.calls.decide(self, trace) : answer) == .silenced
        trace?.contributes(if: facts.contains(.isFocusOn))
        return isSilenced
    }
}

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
