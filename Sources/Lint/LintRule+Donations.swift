internal import DeviceModel

/// Rules about donations (E.4, F.5).
extension LintRule {
    static let donations = [
        LintRule(
            "comm.direction", .error, "WWDC21 10091 (S0-37)", "what a service extension donates is incoming",
            fix: "interaction.direction = .incoming",
            donation: { facts in
                let donation = facts.subject.donation
                guard facts.people != nil, facts.subject.appState == .extension, donation.direction != .incoming else {
                    return []
                }
                return [Hit(path: "direction", detail: "it is \(donation.direction.rawValue)")]
            }),
        LintRule(
            "donation.direction.unspecified", .warning, "WWDC21 10091 (S0-37, S0-39)",
            "nothing is learned from a message or a call without a direction",
            fix: "interaction.direction = .outgoing",
            donation: { facts in
                // An extension's is never right without one, which comm.direction says.
                guard facts.people != nil, facts.subject.appState != .extension else { return [] }
                return facts.subject.donation.direction == .unspecified ? [Hit(path: "direction")] : []
            }),
        LintRule(
            "donation.duplicateForAction", .warning, "doc: Donating Shortcuts; WWDC21 10231 (S1-27)",
            "one action is donated once", fix: "one donate() when the action is finished", needs: [.history],
            donation: { facts in
                let donation = facts.subject.donation
                let isRepeated = facts.subject.recent.contains {
                    $0.intent == donation.intent && $0.direction == donation.direction
                }
                return isRepeated ? [Hit(path: "intent", detail: "`\(donation.intentClass ?? "")`")] : []
            }),
    ]
}
