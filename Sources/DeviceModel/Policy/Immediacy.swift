/// What is decided before summary and Focus are asked (B.1.7, B.1.8).
let immediacyTable = DecisionTable<Timing>(
    stage: "timing",
    rows: [
        .init(
            "timing.frontmost", .foreground, "doc: userNotificationCenter(_:willPresent:)",
            asks: { "is \($0.bundleID) in front of somebody?" }, when: [.isFrontmost]),
        .init(
            "timing.provisional", .quiet, "doc: Asking permission to use notifications",
            asks: "is the app on trial (provisional), and this no critical alert?", when: [.isQuiet]),
    ])

extension Situation {
    /// When the notification makes itself felt.
    func decideTiming(summaryFirst asksSummaryFirst: Bool, _ trace: Trace?) -> Timing {
        if let timing = immediacyTable.decide(self, trace) { return timing }
        if asksSummaryFirst {
            if isDeferred(trace) { return .deferredToSummary }
            return isSilenced(trace) ? .silencedByFocus : .now
        }
        if isSilenced(trace) { return .silencedByFocus }
        return isDeferred(trace) ? .deferredToSummary : .now
    }

    private func isDeferred(_ trace: Trace?) -> Bool { summaryTable.decide(self, trace) == .deferred }

    private func isSilenced(_ trace: Trace?) -> Bool {
        let answer = focusTable.decide(self, trace)
        return (answer == .callRules ? callTable.decide(self, trace) : answer) == .silenced
    }
}
