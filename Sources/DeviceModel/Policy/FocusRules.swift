/// Whether the active Focus lets the alert through (B.2).
enum FocusAnswer: String, Sendable, CustomStringConvertible {
    case allowed = "the Focus lets it through"
    case silenced = "the Focus silences it"
    case callRules = "the rules for calls decide"

    var description: String { rawValue }
}

/// Rows F1 to F8.
let focusTable = DecisionTable<FocusAnswer>(
    stage: "focus",
    rows: [
        .init("focus.none", .allowed, "seed 0") { _ in
            "is no Focus on?"
        } when: {
            !$0.isFocusOn
        },
        .init("F1", .allowed, "seed 3") { _ in
            "is it a critical alert?"
        } when: {
            $0.isCritical
        },
        .init("F2", .silenced, "doc: WWDC22-10121") {
            "does the app's filter in \($0.focusName) leave out \($0.criteriaText)?"
        } when: {
            $0.isFilteredOut
        },
        .init("F3", .callRules, "inferred") { _ in
            "is it an incoming call?"
        } when: {
            $0.isCall
        },
        .init("F4", .allowed, "doc: INSendMessageIntentDonationMetadata") { _ in
            "does the sender notify anyway, and may the app see the Focus status?"
        } when: {
            $0.notifiesAnyway
        },
        .init("F5", .allowed, "seed 0, 2, 3") {
            $0.isCommunication
                ? "does \($0.focusName) allow the sender \($0.senderID ?? "")?"
                : "is it a communication notification whose sender \($0.focusName) allows?"
        } when: {
            $0.isSenderAllowed
        },
        .init("F6", .allowed, "seed 0, 3") {
            $0.judgesSenderOnly
                ? "does \($0.focusName) ask for the app of a communication notification?"
                : "does \($0.focusName) allow \($0.app.bundleID)?"
        } when: {
            $0.standing.isAppAllowed && !$0.judgesSenderOnly
        },
        .init("F7", .allowed, "seed 0, 3; doc: Apple forum 690081") {
            "is it Time Sensitive, and does \($0.focusName) allow that from \($0.app.bundleID)?"
        } when: {
            $0.isTimeSensitiveAllowed
        },
        .otherwise("F8", .silenced, "seed 0, 3"),
    ])

extension Situation {
    fileprivate var isFocusOn: Bool { standing.focus != nil }

    /// The Focus in words.
    var focusName: String {
        guard let focus = standing.focus else { return "no Focus" }
        return "the active Focus \"\(focus.name.isEmpty ? focus.id : focus.name)\""
    }

    fileprivate var criteriaText: String { content.filterCriteria.map { "\"\($0)\"" } ?? "what names no criteria" }

    /// Content without criteria is not filtered (design).
    fileprivate var isFilteredOut: Bool {
        guard let criteria = content.filterCriteria, let filter = standing.filter else { return false }
        return !filter.contains(criteria)
    }

    fileprivate var isCall: Bool {
        isCommunication && content.communication?.intent == .startCall && content.communication?.isMissedCall == false
    }

    fileprivate var notifiesAnyway: Bool {
        isCommunication && content.communication?.notifiesRecipientAnyway == true && app.isFocusStatusAuthorized
    }

    /// Who sent it, among the device's contacts.
    var sender: PersonMatch? {
        guard let communication = content.communication else { return nil }
        return PersonMatch(communication.sender, in: device.contacts, bundleID: app.bundleID)
    }

    var senderID: String? { sender?.id }

    /// Whether the Focus names the sender.
    var isSenderAllowed: Bool {
        guard isCommunication, let focus = standing.focus, let senderID else { return false }
        return focus.people.allows(senderID)
    }

    fileprivate var judgesSenderOnly: Bool { isCommunication && assumptions.focusUsesSenderOnly }

    fileprivate var isTimeSensitiveAllowed: Bool {
        level == .timeSensitive && standing.focus?.allowsTimeSensitive == true && !standing.isTimeSensitiveOptedOut
    }
}
