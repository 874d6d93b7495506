/// Whether the active Focus lets the alert through (B.2).
enum FocusAnswer: String, PolicyAnswer {
    case allowed = "the Focus allows it"
    case silenced = "the Focus silences it"
    case callRules = "the rules for calls decide"
}

let focusTable = DecisionTable<Situation, FocusAnswer>(
    stage: "focus",
    rows: [
        .init("focus.none", .allowed, "WWDC21 10091").asks("is no Focus on?", unless: [.isFocusOn]),
        .init("F1", .allowed, "HIG Notifications").asks("is it a critical alert?", when: [.isCritical]),
        .init("F2", .silenced, "doc: WWDC22-10121")
            .asks({ "does the app's filter in \($0.focusName) exclude \($0.criteria)?" }, when: [.isFilteredOut]),
        .init("F3", .callRules, "inferred").asks("is it an incoming call?", when: [.isCommunication, .isIncomingCall]),
        .init("F4", .allowed, "doc: INSendMessageIntentDonationMetadata")
            .asks(
                "did the sender choose to notify anyway, and may the app see the Focus status?",
                when: [.isCommunication, .notifiesAnyway, .isFocusStatusAuthorized]),
        .init("F5", .allowed, "WWDC21 10091; mszpro.com; HIG Notifications")
            .asks({ $0.senderQuestion }, when: [.isCommunication, .isSenderAllowed]),
        .init("F6", .allowed, "WWDC21 10091; HIG Notifications")
            .asks({ $0.appQuestion }, when: [.isAppAllowed], unless: [.judgesSenderOnly]),
        .init("F7", .allowed, "WWDC21 10091; HIG Notifications; doc: Apple forum 690081")
            .asks({ $0.timeSensitiveQuestion }, when: [.isTimeSensitive, .isTimeSensitiveAllowed]),
        .otherwise("F8", .silenced, "WWDC21 10091; HIG Notifications"),
    ])

/// Whether the active Focus lets an app's ordinary alerts through.
package func focusAllows(_ context: PolicyContext, filterCriteria: String? = nil) -> Bool {
    var content = ContentTraits()
    content.filterCriteria = filterCriteria
    return focusTable.decide(Situation(InterruptionInputs(content: content, context: context)), nil) != .silenced
}

extension Subject {
    fileprivate var criteria: String {
        inputs.content.filterCriteria.map { "\"\($0)\"" } ?? "notifications without criteria"
    }

    fileprivate var senderQuestion: String {
        outcome.isCommunication
            ? "does \(focusName) allow the sender \(senderID)\(namesakeNote)?"
            : "is it a communication notification, whose sender \(focusName) could allow?"
    }

    private var namesakeNote: String {
        guard let sender = inputs.content.communication?.sender, inputs.sender?.contact == nil else { return "" }
        let note = PersonMatch.namesakeNote(for: sender, in: device.contacts)
        return note.map { " (\($0))" } ?? ""
    }

    /// Names the first condition of F7 that fails.
    fileprivate var timeSensitiveQuestion: String {
        guard outcome.level == .timeSensitive else {
            let asked = inputs.content.level == .timeSensitive ? "Time Sensitive was requested, but " : ""
            return "is it Time Sensitive (\(asked)its level is \(outcome.level.rawValue))?"
        }
        let focus = inputs.context.focus
        if focus?.allowsTimeSensitive == false {
            return "does \(focusName) allow Time Sensitive notifications (allowsTimeSensitive is off)?"
        }
        if focus?.timeSensitiveOptOutApps.contains(bundleID) == true {
            return "does \(focusName) allow Time Sensitive notifications from \(bundleID) "
                + "(it is one of timeSensitiveOptOutApps)?"
        }
        return "is it Time Sensitive, and does \(focusName) allow that from \(bundleID)?"
    }

    fileprivate var appQuestion: String {
        outcome.isCommunication && inputs.context.assumptions.focusUsesSenderOnly
            ? "does \(focusName) allow \(bundleID), and does that count for a communication notification?"
            : "does \(focusName) allow \(bundleID)?"
    }
}

/// Whether a Focus lets an incoming call through (B.5); F3 asks it.
let callTable = DecisionTable<Situation, FocusAnswer>(
    stage: "calls",
    rows: [
        .init("calls.emergencyBypass", .allowed, "gk")
            .asks({ "does the caller \($0.senderID) have emergency bypass?" }, when: [.hasEmergencyBypass]),
        .init("calls.everyone", .allowed, "gk")
            .asks({ "does \($0.focusName) allow calls from everyone?" }, when: [.allowsEveryonesCalls]),
        .init("calls.allowedPeople", .allowed, "WWDC21 10091")
            .asks(
                { "does \($0.focusName) allow calls from its people, and is \($0.senderID) one of them?" },
                when: [.allowsPeoplesCalls, .isSenderAllowed]),
        .init("calls.favorites", .allowed, "gk")
            .asks(
                { "does \($0.focusName) allow calls from favorites, and is \($0.senderID) one of them?" },
                when: [.allowsFavoritesCalls, .isSenderFavorite]),
        .init("calls.contacts", .allowed, "gk")
            .asks(
                { "does \($0.focusName) allow calls from contacts, and is \($0.senderID) one of them?" },
                when: [.allowsContactsCalls, .isSenderContact]),
        .init("calls.repeated", .allowed, "doc: aeanet.org, Focus; design")
            .asks({ $0.callQuestion }, when: [.allowsRepeatedCalls, .isRepeatedCall]),
        .otherwise("calls.silenced", .silenced, "gk"),
    ])

extension Subject {
    fileprivate var callQuestion: String {
        let window = inputs.context.assumptions.repeatedCallWindow / 1000
        return "does \(focusName) allow repeated calls, and did \(senderID) call within the last \(window) s?"
    }
}
