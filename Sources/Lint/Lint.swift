package import DeviceModel
internal import Fields

/// Holds pushes and categories against Apple's advice (Human Interface Guidelines, "Notifications") and against what the
/// device can make of them. A finding changes nothing about a delivery.
package enum Lint {
    /// Every rule, in the order of its findings.
    package static let rules: [LintRule] =
        LintRule.decoding + LintRule.payload + LintRule.titles + LintRule.texts + LintRule.contents + LintRule.levels
        + LintRule.marketing + LintRule.badges + LintRule.categories + LintRule.answers + LintRule.communication
        + LintRule.donations

    /// The rules' names, in their order.
    package static let ruleIDs = rules.map(\.id)

    private static let rulesByID = Dictionary(uniqueKeysWithValues: rules.map { ($0.id, $0) })

    /// A rule; nil when there is none of the name.
    package static func rule(_ id: String) -> LintRule? { rulesByID[id] }

    /// What is wrong or could be better about a push.
    ///
    /// - Parameter silencing: names of rules that nobody wants to hear of.
    /// - Returns: what the decoder found, in the order of the payload, then the rest in the order of the rules.
    package static func findings(for subject: LintSubject, silencing: Set<String> = []) -> [Finding] {
        var findings = subject.decodingFindings
        if let app = subject.app {
            findings += subject.content.localizationFindings(app: app, locale: subject.locale)
        }
        findings = findings.map(explained)
        let facts = LintFacts(subject)
        for rule in rules where !silencing.contains(rule.id) {
            findings += rule.push?(facts).map(rule.finding) ?? []
        }
        return silencing.isEmpty ? findings : findings.filter { !silencing.contains($0.id) }
    }

    /// What could be better about an app's categories and their buttons.
    ///
    /// - Returns: findings whose path names category and action: `categories.SHIP.actions.TRACK`.
    package static func findings(forCategoriesOf app: App, silencing: Set<String> = []) -> [Finding] {
        app.categories.flatMap { category in
            rules.flatMap { rule in
                silencing.contains(rule.id) ? [] : rule.category?(category, app).map(rule.finding) ?? []
            }
        }
    }

    /// What is wrong or could be better about a donation.
    ///
    /// - Returns: findings whose path leads through the interaction: `intent.sender`.
    package static func findings(for subject: DonationSubject, silencing: Set<String> = []) -> [Finding] {
        let facts = DonationFacts(subject)
        return rules.flatMap { rule in
            silencing.contains(rule.id) ? [] : rule.donation?(facts).map(rule.finding) ?? []
        }
    }

    /// The rule that a mistyped name was meant to be; nil when none is near.
    package static func nearestRuleID(to text: String) -> String? { NearestName.of(text, among: ruleIDs) }

    /// A decoder's finding with what the table knows about its rule.
    private static func explained(_ finding: Finding) -> Finding {
        guard let rule = rule(finding.id) else { return finding }
        var finding = finding
        finding.source = finding.source ?? rule.source
        finding.fix = finding.fix ?? rule.fix
        return finding
    }
}
