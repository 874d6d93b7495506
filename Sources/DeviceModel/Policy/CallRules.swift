/// Whether a Focus lets an incoming call through (B.5); asked by F3.
let callTable = DecisionTable<FocusAnswer>(
    stage: "calls",
    rows: [
        .init(
            "calls.emergencyBypass", .allowed, "gk",
            asks: { "does the caller \($0.senderID) have emergency bypass?" }
        ) {
            $0.sender.hasEmergencyBypass
        },
        .init(
            "calls.everyone", .allowed, "gk",
            asks: { "does \($0.focusName) allow calls from everyone?" }
        ) {
            $0.standing.callScope == .everyone
        },
        .init(
            "calls.allowedPeople", .allowed, "seed 0",
            asks: { "does \($0.focusName) allow calls from its people, and is \($0.senderID) one of them?" }
        ) {
            $0.standing.callScope == .allowedPeople && $0.sender.isAllowed
        },
        .init(
            "calls.favorites", .allowed, "gk",
            asks: { "does \($0.focusName) allow calls from favorites, and is \($0.senderID) one of them?" }
        ) {
            $0.standing.callScope == .favorites && $0.sender.isFavorite
        },
        .init(
            "calls.contacts", .allowed, "gk",
            asks: { "does \($0.focusName) allow calls from contacts, and is \($0.senderID) one of them?" }
        ) {
            $0.standing.callScope == .contacts && $0.sender.isContact
        },
        .init(
            "calls.repeated", .allowed, "doc: aeanet.org, Focus; design",
            asks: { $0.callQuestion }
        ) {
            $0.standing.allowsRepeatedCalls && $0.isRepeatedCall
        },
        .otherwise("calls.silenced", .silenced, "gk"),
    ])

extension Subject {
    fileprivate var callQuestion: String {
        let window = inputs.circumstances.assumptions.repeatedCallWindow / 1000
        let last = inputs.sinceLastCall.map { "was \($0 / 1000) s ago" } ?? "never happened"
        return "does \(focusName) allow repeated calls, and was there one within \(window) s (the last one \(last))?"
    }
}
