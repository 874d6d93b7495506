internal import DeviceModel
internal import JSON
internal import SiriModel

/// Rules about donations (E.4, F.5).
extension LintRule {
    static let donations =
        [
            LintRule(
                "comm.direction", .error, "WWDC21 10091 (S0-37)",
                "an interaction donated by a service extension must be incoming",
                fix: "interaction.direction = .incoming",
                donation: { subject in
                    let direction = subject.donation.direction
                    let isWrong = subject.isByExtension && subject.people != nil && direction != .incoming
                    return hit("direction", "it is \(direction.rawValue)", if: isWrong)
                }),
            LintRule(
                "donation.direction.unspecified", .warning, "WWDC21 10091 (S0-39)",
                "Siri learns nothing from a message or call without a direction",
                fix: "interaction.direction = .outgoing",
                donation: { subject in
                    let isWrong = !subject.isByExtension && subject.people != nil
                    return hit("direction", if: isWrong && subject.donation.direction == .unspecified)
                }),
            LintRule(
                "donation.duplicateForAction", .warning, "doc: Donating Shortcuts; WWDC21 10231 (S1-27)",
                "an action should be donated only once", fix: "one donate() when the action is complete",
                needs: [.history],
                donation: { subject in
                    let donation = subject.donation
                    let isRepeated = subject.recent.contains {
                        $0.intent == donation.intent && $0.direction == donation.direction
                            && $0.response == donation.response
                    }
                    return hit("intent", "`\(donation.intentClass ?? "")`", if: isRepeated)
                }),
            LintRule(
                "donation.unfinished", .warning, "doc: Donating Shortcuts",
                "donate an action when it is complete; the response says that it is not", fix: #""code": "success""#,
                donation: { subject in
                    guard let code = subject.donation.response?["code"]?.string else { return [] }
                    let isWrong = code.hasPrefix("failure") || code == "inProgress" || code == "ready"
                    return hit("response.code", "`\(code)`", if: isWrong)
                }),
            LintRule(
                "donation.activity.notPredictable", .warning, "doc: WWDC18-211",
                "Siri suggests an activity only if it is eligible for prediction and for search",
                fix: "activity.isEligibleForSearch = true; activity.isEligibleForPrediction = true",
                donation: { subject in
                    let intent = subject.donation.intent
                    let flags = ["isEligibleForPrediction", "isEligibleForSearch"]
                    guard intent.intentClass == UserActivity.className,
                        let off = flags.first(where: { intent[$0] != .bool(true) })
                    else { return [] }
                    return hit("intent.\(off)", if: true)
                }),
        ] + definitions

    /// Rules that compare a custom intent with its definition.
    private static let definitions = [
        LintRule(
            "donation.noDefinition", .warning, "WWDC21 10231 (S1-5, S1-6)",
            "Siri suggests a custom intent only if the app defines it", fix: #""intents": [{"intent": "…"}]"#,
            needs: [.app],
            donation: { subject in
                guard let app = subject.app, let name = subject.donation.intentClass, !isBuiltIn(name) else {
                    return []
                }
                return hit("intent.class", "`\(name)`", if: app.intent(name) == nil)
            }),
        LintRule(
            "donation.ineligible", .info, "F.2",
            "Siri never suggests the intent: eligibleForSuggestions is off", fix: #""eligibleForSuggestions": true"#,
            needs: [.app],
            donation: { subject in
                hit("intent.class", if: subject.definition?.eligibleForSuggestions == false)
            }),
        LintRule(
            "donation.noCombination", .warning, "WWDC21 10231 (S1-6)",
            "no combination of the intent has a value for each of its parameters",
            fix: #""combinations": [{"parameters": ["item", "size"]}]"#, needs: [.app],
            donation: { subject in
                guard let definition = subject.definition else { return [] }
                let intent = subject.donation.intent
                let isComplete = definition.combinations.contains { combination in
                    combination.parameters.allSatisfy { (intent[$0] ?? .null) != .null }
                }
                return hit("intent", if: !isComplete)
            }),
        LintRule(
            "donation.timestamp", .warning, "WWDC21 10231 (S1-26, S1-27)",
            "a date in a combination makes every donation another action, so no pattern is found",
            fix: "leave the parameter out of the combination", needs: [.app],
            donation: { subject in
                guard let definition = subject.definition else { return [] }
                let used = definition.combinations.flatMap(\.parameters)
                let dates = definition.parameters.filter { $0.isDate && used.contains($0.name) }.map(\.name)
                return dates.flatMap { hit("intent.\($0)", if: subject.donation.intent[$0] != nil) }
            }),
        LintRule(
            "donation.displayStringOnly", .warning, "doc: WWDC18-211",
            "an object is compared by its identifier, not by its displayString",
            fix: #""item": {"identifier": "latte", "displayString": "Latte"}"#,
            donation: { subject in
                guard case .object(let members) = subject.donation.intent else { return [] }
                return members.flatMap { name, value in
                    hit("intent.\(name)", if: value["displayString"] != nil && value["identifier"] == nil)
                }
            }),
    ]

    /// Apple's classes begin with these letters.
    private static func isBuiltIn(_ name: String) -> Bool {
        ["IN", "UN", "NS"].contains { name.hasPrefix($0) }
    }
}

extension LintRule {
    /// Reported when an app donates reservations, and about mails and web pages.
    static let reservations = (FindingRule.reservations + FindingRule.markup).map { LintRule(rule: $0) }
}

extension DonationSubject {
    fileprivate var definition: IntentDefinition? {
        donation.intentClass.flatMap { app?.intent($0) }
    }
}
