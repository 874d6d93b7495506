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
        let last = inputs.sinceLastCall.map { "\($0 / 1000) s ago" } ?? "none"
        return "does \(focusName) allow repeated calls, and was there one within \(window) s (last: \(last))?"
    }
}
