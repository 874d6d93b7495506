/// Whether a Focus lets an incoming call through (B.5); asked by F3.
let callTable = DecisionTable<FocusAnswer>(
    stage: "calls",
    rows: [
        .init("calls.emergencyBypass", .allowed, "gk") {
            "does the caller \($0.senderID ?? "") have emergency bypass?"
        } when: {
            $0.sender?.contact?.hasEmergencyBypass == true
        },
        .init("calls.everyone", .allowed, "gk") {
            "does \($0.focusName) allow calls from everyone?"
        } when: {
            $0.callScope == .everyone
        },
        .init("calls.allowedPeople", .allowed, "seed 0") {
            "does \($0.focusName) allow calls from its people, and is \($0.senderID ?? "") one of them?"
        } when: {
            $0.callScope == .allowedPeople && $0.isSenderAllowed
        },
        .init("calls.favorites", .allowed, "gk") {
            "does \($0.focusName) allow calls from favorites, and is \($0.senderID ?? "") one of them?"
        } when: {
            $0.callScope == .favorites && $0.sender?.contact?.isFavorite == true
        },
        .init("calls.contacts", .allowed, "gk") {
            "does \($0.focusName) allow calls from contacts, and is \($0.senderID ?? "") one of them?"
        } when: {
            $0.callScope == .contacts && $0.sender?.contact != nil
        },
        .init("calls.repeated", .allowed, "doc: aeanet.org, Focus; design") {
            "does \($0.focusName) allow repeated calls, and \($0.lastCallText)?"
        } when: {
            $0.isRepeatedCall
        },
        .otherwise("calls.silenced", .silenced, "gk"),
    ])

extension Situation {
    fileprivate var callScope: Focus.CallScope? { standing.focus?.allowsCallsFrom }

    fileprivate var isRepeatedCall: Bool {
        guard standing.focus?.allowsRepeatedCalls == true, let sinceLastCall = inputs.sinceLastCall else { return false }
        return sinceLastCall <= assumptions.repeatedCallWindow
    }

    fileprivate var lastCallText: String {
        let window = assumptions.repeatedCallWindow / 1000
        let last = inputs.sinceLastCall.map { "\($0 / 1000) s ago" } ?? "never"
        return "was the last call within \(window) s (it was \(last))"
    }
}
